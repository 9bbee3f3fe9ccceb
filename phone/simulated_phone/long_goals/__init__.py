"""Long goals: over three or more apps, composed of the apps' own; in no routine of a person."""
