"""Scripts that make the data files of the phone; they are no part of its distribution."""
