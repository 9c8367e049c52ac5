"""The page for setters: a server on this machine, with searches in worker processes.

`forms` is a puzzle as JSON, `answers` and `files` what a worker does with it, `workers` the processes, `server` the
routes, `guard` who may ask."""
