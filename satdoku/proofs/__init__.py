"""Certificates: what a verdict rests on, for others to check. Nothing here finds anything, or imports what does."""
