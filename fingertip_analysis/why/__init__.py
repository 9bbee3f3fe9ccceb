"""Why attempts of track 2 failed: reasons by rule, their counts, and a named judge where no rule can say."""
