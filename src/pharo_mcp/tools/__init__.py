"""The tools, one module each: schema, description, and the one request that each makes."""
