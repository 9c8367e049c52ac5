"""Many puzzles: questions asked of blocks of them, here, in worker processes, or on a cluster."""
