"""Tools on files as a whole: ls, cp, mv, rm, stat, find, du, tar and the like."""
