"""Requests that read the code of an image."""

from collections.abc import Sequence
from functools import partial

from pharo_mcp.image.gate import RequestGate
from pharo_mcp.image.replies.code import (
    ClassDetails,
    CodeText,
    Completed,
    MethodsByExample,
    MethodSource,
    Package,
    Search,
)
from pharo_mcp.image.shapes import read, request_body


class Code:
    """Finds and reads code. Every method raises ImageError; arguments that are None are left to the image."""

    def __init__(self, gate: RequestGate) -> None:
        self._gate = gate

    def search(
        self,
        query: str,
        kind: str,
        *,
        match: str | None = None,
        case_sensitive: bool | None = None,
        package: str | None = None,
        hierarchy: str | None = None,
        class_: str | None = None,
        offset: int | None = None,
        limit: int | None = None,
    ) -> Search:
        """A page of search results, from the whole image or one `package`, `hierarchy` or `class_`.

        Raises:
            RequestRefused: If the image has no such package or class.
        """
        body = request_body(
            query=query,
            kind=kind,
            match=match,
            case_sensitive=case_sensitive,
            package=package,
            hierarchy=hierarchy,
            class_=class_,
            offset=offset,
            limit=limit,
        )
        return self._gate.ask("/search", body, partial(read, Search))

    def complete(
        self, kind: str, prefix: str, class_name: str | None = None, limit: int | None = None
    ) -> Completed:
        """Names of a kind (`class`, `selector`, `package`) that complete a prefix, best first.

        Selectors may be those of one class.
        """
        body = request_body(kind=kind, prefix=prefix, class_name=class_name, limit=limit)
        return self._gate.ask("/complete", body, partial(read, Completed))

    def class_details(
        self,
        class_name: str,
        include: Sequence[str] | None = None,
        *,
        protocol: str | None = None,
        offset: int | None = None,
    ) -> ClassDetails:
        """What a class or a trait is: all but its source, or the parts to `include`.

        The source is that of the methods from `offset` on, of one `protocol` or of all.

        Raises:
            UnknownClass: If there is none of that name.
            RequestRefused: If it has no such protocol.
        """
        body = request_body(class_name=class_name, include=include, protocol=protocol, offset=offset)
        return self._gate.ask("/class", body, partial(read, ClassDetails))

    def read(
        self,
        items: Sequence[str],
        detail: str | None = None,
        *,
        offset: int | None = None,
        max_characters: int | None = None,
    ) -> CodeText:
        """A page of the code of packages, classes, protocols and methods, or its `outline`, as one text."""
        body = request_body(items=list(items), detail=detail, offset=offset, max_characters=max_characters)
        return self._gate.ask("/code", body, partial(read, CodeText))

    def method(self, class_name: str, selector: str, side: str | None = None) -> MethodSource:
        """One method, with its source.

        Raises:
            UnknownClass: If there is no such class.
            UnknownMethod: If that side of it has no such method of its own.
        """
        body = request_body(class_name=class_name, selector=selector, side=side)
        return self._gate.ask("/method", body, partial(read, MethodSource))

    def find_method(
        self, receiver: str, result: str, arguments: Sequence[str] | None = None
    ) -> MethodsByExample:
        """The methods that return the result, all given as literals.

        Raises:
            RequestRefused: If one of them is no literal.
            SmalltalkError: If one of them does not compile.
        """
        body = request_body(receiver=receiver, arguments=arguments, result=result)
        return self._gate.ask("/method/find", body, partial(read, MethodsByExample))

    def package(self, name: str) -> Package:
        """The contents of a package.

        Raises:
            UnknownPackage: If the image has none of that name.
        """
        return self._gate.ask("/package", request_body(package_name=name), partial(read, Package))
