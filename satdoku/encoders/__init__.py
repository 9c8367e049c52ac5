"""Boards written for engines: clauses for SAT solvers, a model for CP-SAT."""
