"""Every callback of another thread runs on the loop; several wake it once."""

from __future__ import annotations

import asyncio
import threading

from demotic.serve.mailbox import Mailbox


def test_all_callbacks_of_many_threads_run() -> None:
    async def received() -> list[int]:
        mailbox, found, done = Mailbox(asyncio.get_running_loop()), [], asyncio.Event()

        def callback(number: int) -> None:
            assert threading.current_thread() is threading.main_thread()
            found.append(number)
            if len(found) == 4000:
                done.set()

        def post(first: int) -> None:
            for number in range(first, first + 1000):
                mailbox.post(lambda number=number: callback(number))  # type: ignore[misc]

        threads = [threading.Thread(target=post, args=(1000 * i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        await asyncio.wait_for(done.wait(), 20)
        for thread in threads:
            thread.join()
        return found

    assert sorted(asyncio.run(received())) == list(range(4000))


def post(mailbox: Mailbox, count: int) -> None:
    for _ in range(count):
        mailbox.post(lambda: None)


def test_the_loop_is_woken_once_for_several() -> None:
    async def woken() -> int:
        loop, woken = asyncio.get_running_loop(), 0
        mailbox = Mailbox(loop)
        wake = loop.call_soon_threadsafe

        def counted(*arguments: object) -> object:
            nonlocal woken
            woken += 1
            return wake(*arguments)  # type: ignore[arg-type]

        loop.call_soon_threadsafe = counted  # type: ignore[method-assign,assignment]
        for count in (5, 1):
            other = threading.Thread(target=post, args=(mailbox, count))
            other.start()
            other.join()
            await asyncio.sleep(0)
        return woken

    assert asyncio.run(woken()) == 2


def test_a_closed_loop_is_no_error() -> None:
    loop = asyncio.new_event_loop()
    mailbox = Mailbox(loop)
    loop.close()
    other = threading.Thread(target=post, args=(mailbox, 1))
    other.start()
    other.join()


def test_on_the_thread_of_the_loop_a_callback_runs_at_once() -> None:
    async def received() -> list[str]:
        found: list[str] = []
        Mailbox(asyncio.get_running_loop()).post(lambda: found.append("now"))
        return found

    assert asyncio.run(received()) == ["now"]
