"""Both tracks of an agent on one dataset: data, the people of a quick look, scores, bundles, a page."""
