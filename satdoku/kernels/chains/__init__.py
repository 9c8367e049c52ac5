"""What follows from candidates that hold or do not, by chains inside chains, compiled."""
