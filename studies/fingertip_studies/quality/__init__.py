"""Quality of demonstrations: flaws by kind and place, a score per episode, files, figures and a page."""
