"""The tools, a module for each subject: schemas, descriptions, and the requests that they make."""
