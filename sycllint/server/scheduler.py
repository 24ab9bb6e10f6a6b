"""When open documents are linted: at once after an edit; a run over an outdated text is cancelled."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import TypeVar

from sycllint.garbage import collect_exempted
from sycllint.record import replace
from sycllint.server.documents import Documents
from sycllint.server.session import Session, Settings, Snapshot
from sycllint.supersession import Superseded, superseding

Answer = TypeVar("Answer")

QUIET = 0.04
"""Seconds without an edit to wait for, after an edit that came before the previous one was linted."""

IDLE = 0.5
"""Seconds without an edit after which garbage is collected; that takes about as long as a run."""


class Scheduler:
    """The newest documents, the last snapshot, and one thread that makes the next.

    All methods are for the event loop's own thread. A run that crashes is reported to ``failed`` and makes no new
    snapshot; the next one starts without records.
    """

    def __init__(
        self, settings: Settings, publish: Callable[[Snapshot], None], failed: Callable[[BaseException], None]
    ) -> None:
        self.documents = Documents()
        self.snapshot = Snapshot()
        self.seconds = 0.0
        """The time of the last run."""
        self._settings = settings
        self._session = Session(settings)
        self._publish = publish
        self._failed = failed
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sycllint")
        self._wake = asyncio.Event()
        self._news = asyncio.Event()
        self._settled = self.documents
        """The documents that were linted last."""
        self._running = asyncio.get_running_loop().create_task(self._run())

    def change(self, documents: Documents) -> None:
        """Take newer documents."""
        self.documents = documents
        self._wake.set()

    async def current(self) -> Snapshot:
        """The snapshot of the newest documents, launches included."""
        while self._settled is not self.documents:
            await self._news.wait()
        return self.snapshot

    async def in_session(self, work: Callable[[Session], Answer]) -> Answer:
        """The result of ``work``, which is done between two runs."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: work(self._session))

    def stop(self) -> None:
        """Cancel the current run and start no other."""
        self._running.cancel()
        self.documents = self.documents.again()  # what is under way is stale now
        self._thread.shutdown(wait=False, cancel_futures=True)

    # ------------------------------------------------------------------ runs

    async def _run(self) -> None:
        hurried = False
        while True:
            await self._woken()
            while hurried and self._wake.is_set():
                self._wake.clear()
                await asyncio.sleep(QUIET)
            self._wake.clear()
            documents = self.documents
            hurried = not await self._deal_with(documents)
            if not hurried:
                self._settled = documents
                self._news.set()
                self._news = asyncio.Event()

    async def _woken(self) -> None:
        try:
            await asyncio.wait_for(self._wake.wait(), IDLE)
        except TimeoutError:
            await asyncio.get_running_loop().run_in_executor(self._thread, collect_exempted)
            await self._wake.wait()

    async def _deal_with(self, documents: Documents) -> bool:
        """Lint and publish; ``False`` when the run was cancelled."""
        snapshot = await self._looked(documents, frozenset())
        if snapshot is None:
            return False
        self._show(snapshot)
        if snapshot.unknown:
            # Findings come from cached records; launches are not in them, and need another run.
            snapshot = await self._looked(documents, snapshot.unknown)
            if snapshot is None:
                return False
            self._show(snapshot)
        return True

    def _show(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._publish(snapshot)

    async def _looked(self, documents: Documents, relint: frozenset[str]) -> Snapshot | None:
        """A snapshot of ``documents``; ``None`` when there are newer ones."""
        running = asyncio.get_running_loop().run_in_executor(self._thread, self._look, documents, relint)
        await asyncio.wait({running})
        crash = running.exception()
        if crash is None:
            return running.result()
        self._failed(crash)
        self._session = Session(self._settings)
        return replace(self.snapshot, documents=documents, launches={}, checked=frozenset())

    def _look(self, documents: Documents, relint: frozenset[str]) -> Snapshot | None:
        start = perf_counter()
        try:
            with superseding(lambda: self.documents is not documents):
                return self._session.look(documents, relint)
        except Superseded:
            return None
        finally:
            self.seconds = perf_counter() - start
