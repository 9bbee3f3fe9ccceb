"""`fingertip phone`: serves one simulated phone over ADB until it is stopped."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING

import click

from fingertip_cli import shared_options
from fingertip_cli.display_size import read_size
from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from simulated_phone.adb.phone_server import SimulatedPhoneServer


@click.command(name="phone")
@click.option("--port", default=0, show_default="a free one", help="TCP port on 127.0.0.1.")
@shared_options.seed("Seed of the phone's content.")
@shared_options.display_size
@shared_options.fault
@click.option(
    "--still-clock", is_flag=True, help="Stop the clock between actions: same commands, same pixels."
)
def command(port: int, seed: int, size: str, faults: tuple[str, ...], still_clock: bool) -> None:
    """Run a simulated Android phone that any adb can connect to, until Ctrl-C."""
    from simulated_phone.adb.phone_server import SimulatedPhoneServer
    from simulated_phone.phone import Phone
    from simulated_phone.phone_errors import PhoneSetupError
    from simulated_phone.screens.fonts import font
    from simulated_phone.screens.theme import usual_density

    width, height = read_size(size)
    try:
        font(12)  # a missing font is found here, and not at the first screenshot
        phone = Phone(seed=seed, size=(width, height), density=usual_density(width), faults=faults)
        server = SimulatedPhoneServer(phone, port=port, real_time=not still_clock)
        asyncio.run(_serve(server))
    except PhoneSetupError as error:
        raise UsageError(str(error)) from None


async def _serve(server: SimulatedPhoneServer) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    await server.start()
    click.echo(f"a simulated phone is on {server.serial}; stop it with Ctrl-C")
    click.echo(f"  adb connect {server.serial}")
    click.echo(f"  adb -s {server.serial} exec-out screencap -p > screen.png")
    await stopped.wait()
    await server.stop()
    click.echo("the phone is off")
