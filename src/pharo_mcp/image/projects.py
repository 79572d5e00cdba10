"""Requests about whole projects: tests, loading, exporting; and screenshots."""

from collections.abc import Sequence
from functools import partial

from pharo_mcp.image.evaluations import Asker, Evaluations, ProgressListener
from pharo_mcp.image.gate import RequestGate
from pharo_mcp.image.outcomes import Outcome
from pharo_mcp.image.replies.projects import Committed, Exported, Imported, Repositories, Screenshot
from pharo_mcp.image.shapes import read, request_body
from pharo_mcp.times import LONG_REQUEST_SECONDS


class Projects:
    """Tests, loads and exports.

    Every method raises ImageError. Arguments that are None are left to the image. Long
    work is an evaluation with an id, as in `ImageClient.evaluate`: it can be followed and cancelled.
    """

    def __init__(self, gate: RequestGate, evaluations: Evaluations) -> None:
        self._gate = gate
        self._evaluations = evaluations

    def run_tests(
        self,
        class_name: str | None = None,
        selector: str | None = None,
        package: str | None = None,
        *,
        items: Sequence[str] | None = None,
        coverage: Sequence[str] | None = None,
        only_failures: bool | None = None,
        timeout_seconds: float | None = None,
        test_timeout_seconds: float | None = None,
        wait_seconds: float | None = None,
        on_error: str | None = None,
        evaluation_id: str | None = None,
        on_progress: ProgressListener | None = None,
        asker: Asker | None = None,
    ) -> Outcome:
        """Run the tests of a class or a package, one of them, or those of `items`, which are any of these.

        `coverage` are packages to measure.

        Raises:
            UnknownClass: If there is no such class.
            SmalltalkError: If the run ended without results.
        """
        body = request_body(
            class_name=class_name,
            selector=selector,
            package=package,
            items=items,
            coverage=coverage,
            only_failures=only_failures,
            timeout_seconds=timeout_seconds,
            test_timeout_seconds=test_timeout_seconds,
            wait_seconds=wait_seconds,
            on_error=on_error,
            evaluation=evaluation_id,
        )
        return self._evaluations.run("/tests", body, on_progress, asker)

    def load(
        self,
        baseline: str,
        repository: str,
        groups: Sequence[str] | None = None,
        *,
        use_incoming: bool | None = None,
        timeout_seconds: float | None = None,
        wait_seconds: float | None = None,
        evaluation_id: str | None = None,
        on_progress: ProgressListener | None = None,
        asker: Asker | None = None,
    ) -> Outcome:
        """Load a project with Metacello; with `use_incoming` also in place of one from another repository.

        Raises:
            SmalltalkError: If loading ended otherwise than with packages.
        """
        body = request_body(
            baseline=baseline,
            repository=repository,
            groups=groups,
            use_incoming=use_incoming,
            timeout_seconds=timeout_seconds,
            wait_seconds=wait_seconds,
            evaluation=evaluation_id,
        )
        return self._evaluations.run("/load", body, on_progress, asker)

    def export_package(self, package_name: str, folder: str, *, confirm: bool | None = None) -> Exported:
        """Write a package into a Tonel folder on the image's machine.

        With `confirm`, files of classes and extensions that the image does not have are deleted.
        """
        body = request_body(package_name=package_name, folder=folder, confirm=confirm)
        return self._gate.ask("/package/export", body, partial(read, Exported), LONG_REQUEST_SECONDS)

    def import_packages(
        self, folder: str, packages: Sequence[str] | None = None, *, overwrite: bool | None = None
    ) -> Imported:
        """Read packages, or all there are, from a Tonel folder on the image's machine.

        Raises:
            UnsavedChanges: If loading one would lose what was changed in the image, without `overwrite`.
        """
        body = request_body(folder=folder, packages=packages, overwrite=overwrite)
        return self._gate.ask("/package/import", body, partial(read, Imported), LONG_REQUEST_SECONDS)

    def repositories(self) -> Repositories:
        """The repositories that Iceberg knows."""
        return self._gate.ask("/repositories", {}, partial(read, Repositories), LONG_REQUEST_SECONDS)

    def commit(
        self,
        repository: str | None = None,
        message: str | None = None,
        packages: Sequence[str] | None = None,
        *,
        preview: bool | None = None,
    ) -> Committed:
        """Commit what was changed in the image, or in those packages, on the branch of a repository.

        Without a repository, of the only one with changes.
        """
        body = request_body(repository=repository, message=message, packages=packages, preview=preview)
        return self._gate.ask("/repository/commit", body, partial(read, Committed), LONG_REQUEST_SECONDS)

    def screenshot(
        self, window: str | None = None, max_width: int | None = None, max_height: int | None = None
    ) -> Screenshot:
        """A picture of the world, or of one window, no larger than that."""
        body = request_body(window=window, max_width=max_width, max_height=max_height)
        return self._gate.ask("/screenshot", body, partial(read, Screenshot))
