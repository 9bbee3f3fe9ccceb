"""`fingertip-phone`: serves one simulated phone over ADB until it is stopped."""

from __future__ import annotations

import asyncio
import signal
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from simulated_phone import phone_options
from simulated_phone.phone_errors import PhoneSetupError

if TYPE_CHECKING:
    from simulated_phone.adb.phone_server import SimulatedPhoneServer
    from simulated_phone.screens.rough_trees import TreeKind


@click.command(name="fingertip-phone", context_settings={"help_option_names": ["-h", "--help"]})
@phone_options.port
@click.option("--seed", default=0, show_default=True, help="Seed of the phone's content.")
@phone_options.display_size
@phone_options.locale("Language of the phone")
@phone_options.design
@phone_options.dark
@phone_options.fault
@phone_options.trees
@phone_options.still_clock
@click.version_option(package_name="fingertip-phone", prog_name="fingertip-phone")
def command(
    port: int,
    seed: int,
    size: str,
    locale: str,
    design: str,
    dark: bool,
    faults: tuple[str, ...],
    trees: TreeKind,
    still_clock: bool,
) -> None:
    """Run a simulated Android phone that any adb can connect to, until Ctrl-C."""
    serve_phone(
        port=port,
        seed=seed,
        size=size,
        locale=locale,
        design=design,
        dark=dark,
        faults=faults,
        trees=trees,
        still_clock=still_clock,
    )


def main() -> None:
    """Entry point of the console script."""
    run_command(command, "fingertip-phone")


def run_command(called: click.Command, name: str) -> NoReturn:
    """Run a command and exit: an error that a user can cause is one line, with exit code 2.

    Args:
        called: The command.
        name: How it is called, for its messages.
    """
    try:
        sys.exit(called.main(prog_name=name, standalone_mode=False))
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        words = " ".join(error.format_message().split())
        click.echo(f"{name}: {words} (see {name} --help)", err=True)
    except PhoneSetupError as error:
        click.echo(f"{name}: {error}", err=True)
    except ModuleNotFoundError as error:
        # each has the name of its module, and no index may have fingertip-phone
        words = f"the package {error.name} is not installed: pip install {error.name}"
        click.echo(f"{name}: {words}", err=True)
    except OSError as error:
        click.echo(f"{name}: the system refused: {error.strerror or error}", err=True)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    sys.exit(2)


def serve_phone(
    *,
    port: int,
    seed: int,
    size: str,
    locale: str,
    design: str,
    dark: bool,
    faults: tuple[str, ...],
    trees: TreeKind,
    still_clock: bool,
) -> None:
    """Serve a phone until SIGINT or SIGTERM; how to reach it is printed once it listens.

    Args:
        port: TCP port on 127.0.0.1; 0 for a free one.
        seed: Seed of the phone's content.
        size: Width and height in px, as WIDTHxHEIGHT.
        locale: Language of the phone.
        design: Its design language.
        dark: Whether it starts in dark mode.
        faults: Names of `FAULTS`.
        trees: Kind of its accessibility trees.
        still_clock: Whether its clock stands still between actions.

    Raises:
        PhoneSetupError: An argument is wrong, or a font is missing.
        OSError: The port is taken.
    """
    from simulated_phone.adb.phone_server import SimulatedPhoneServer
    from simulated_phone.phone import Phone
    from simulated_phone.screens.drawing.fonts import load_font

    display = phone_options.read_size(size)
    load_font(12)  # a missing font is found here, and not at the first screenshot
    phone = Phone(
        seed=seed,
        size=display,
        faults=faults,
        locale=locale,
        design=design,
        dark=dark,
        trees=trees,
    )
    asyncio.run(_serve(SimulatedPhoneServer(phone, port=port, real_time=not still_clock)))


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
