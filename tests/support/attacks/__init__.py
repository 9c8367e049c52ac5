"""What is done to satdoku to break it: each module has `attempt`, which tries what belongs to a number."""
