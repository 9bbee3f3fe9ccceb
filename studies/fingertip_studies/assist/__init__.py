"""Predict, then execute (A.6.2): accepted suggestions of track 1 are carried out as tasks of track 2."""
