"""MCP over Streamable HTTP: an ASGI application, which the optional uvicorn runs; see `application`.

Legacy clients have sessions; each request of a modern one stands alone.
"""
