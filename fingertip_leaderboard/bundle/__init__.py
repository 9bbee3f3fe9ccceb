"""What a submission is: its schema and files, how it is made of a run, and read without trusting it."""
