"""Serve MCP over Streamable HTTP: sessions in the legacy era, independent requests in the modern era.

The package is an ASGI application; it runs in the web server uvicorn, an optional dependency. Serving on
standard input and output does not import this package.
"""
