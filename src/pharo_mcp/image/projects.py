"""What is done with whole projects: testing, loading, exporting; and a look at the screen."""

from collections.abc import Sequence
from functools import partial

from .evaluating import Evaluating, Outcome, Tell
from .project_replies import Exported, Imported, Repositories, Screenshot
from .requests import LONG, Requests
from .shapes import given, read


class Projects:
    """Tests, loads and exports.

    Every method raises ImageError. Arguments that are None are left to the image. What takes long is an
    evaluation with an id, as `ImageClient.evaluate` has it: it can be told about, followed and cancelled.
    """

    def __init__(self, requests: Requests, evaluating: Evaluating) -> None:
        self._requests = requests
        self._evaluating = evaluating

    def run_tests(
        self,
        class_name: str | None = None,
        selector: str | None = None,
        package: str | None = None,
        *,
        only_failures: bool | None = None,
        timeout_seconds: float | None = None,
        test_timeout_seconds: float | None = None,
        wait_seconds: float | None = None,
        evaluation: str | None = None,
        tell: Tell | None = None,
    ) -> Outcome:
        """Run the tests of a class or a package, or one of them.

        Raises:
            UnknownClass: If there is no such class.
            SmalltalkError: If running them ended otherwise than with results.
        """
        body = given(
            class_name=class_name,
            selector=selector,
            package=package,
            only_failures=only_failures,
            timeout_seconds=timeout_seconds,
            test_timeout_seconds=test_timeout_seconds,
            wait_seconds=wait_seconds,
            evaluation=evaluation,
        )
        return self._evaluating.run("/tests", body, tell)

    def load(
        self,
        baseline: str,
        repository: str,
        groups: Sequence[str] | None = None,
        *,
        timeout_seconds: float | None = None,
        wait_seconds: float | None = None,
        evaluation: str | None = None,
        tell: Tell | None = None,
    ) -> Outcome:
        """Load a project with Metacello.

        Raises:
            SmalltalkError: If loading ended otherwise than with packages.
        """
        body = given(
            baseline=baseline,
            repository=repository,
            groups=groups,
            timeout_seconds=timeout_seconds,
            wait_seconds=wait_seconds,
            evaluation=evaluation,
        )
        return self._evaluating.run("/load", body, tell)

    def export_package(self, package_name: str, folder: str) -> Exported:
        """Write a package into a Tonel folder on the image's machine."""
        body = given(package_name=package_name, folder=folder)
        return self._requests.ask("/package/export", body, partial(read, Exported), LONG)

    def import_packages(
        self, folder: str, packages: Sequence[str] | None = None, *, overwrite: bool | None = None
    ) -> Imported:
        """Read packages, or all there are, from a Tonel folder on the image's machine.

        Raises:
            UnsavedChanges: If loading one would lose what was changed in the image, without `overwrite`.
        """
        body = given(folder=folder, packages=packages, overwrite=overwrite)
        return self._requests.ask("/package/import", body, partial(read, Imported), LONG)

    def repositories(self) -> Repositories:
        """The repositories that Iceberg knows."""
        return self._requests.ask("/repositories", {}, partial(read, Repositories))

    def screenshot(
        self, window: str | None = None, max_width: int | None = None, max_height: int | None = None
    ) -> Screenshot:
        """A picture of the world, or of one window, no larger than that."""
        body = given(window=window, max_width=max_width, max_height=max_height)
        return self._requests.ask("/screenshot", body, partial(read, Screenshot))
