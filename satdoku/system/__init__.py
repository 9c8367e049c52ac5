"""What the operating system gives: files, processes, temporary folders, the clock; nothing here knows of puzzles."""
