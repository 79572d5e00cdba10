"""The machine that runs code: contexts, processes, timers, limits and the registry of primitives."""
