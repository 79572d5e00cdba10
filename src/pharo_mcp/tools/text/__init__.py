"""Text that several tools build: lines of results, pages, and what came of an evaluation."""
