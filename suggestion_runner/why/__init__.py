"""Why answers of track 1 failed: reasons by rule on simulated people, by a named model on recorded ones."""
