"""What PUZZLES on a command line name: files, streams, tables, puzzles as text."""
