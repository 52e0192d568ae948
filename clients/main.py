"""The command line: what each command takes, and where its work is done."""

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, ParamSpec

import typer

from clients.failures import CannotGoOn
from settings import HOTELS_PORT, Settings, SettingsError, load_settings

P = ParamSpec("P")

app = typer.Typer(
    name="nightdesk",
    help="Durable hotel-booking conversations on Temporal.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
reservations = typer.Typer(help="The hotel's reservations.", no_args_is_help=True)
database = typer.Typer(help="The hotel database.", no_args_is_help=True)
app.add_typer(reservations, name="reservations")
app.add_typer(database, name="database")

State = Annotated[
    Path | None, typer.Option("--state", help="Folder of the embedded stack's state.", show_default=".nightdesk")
]
TemporalPort = Annotated[
    int | None, typer.Option(min=0, max=65535, help="0: any free one.", show_default="7233, or any free one")
]
UiPort = Annotated[
    int | None, typer.Option(min=0, max=65535, help="0: any free one.", show_default="8233, or any free one")
]
HotelsPort = Annotated[
    int | None,
    typer.Option(min=0, max=65535, help="0: any free one.", show_default=f"{HOTELS_PORT}, or any free one"),
]
NoWorker = Annotated[bool, typer.Option("--no-worker", help="Start no worker.")]
UntilEof = Annotated[bool, typer.Option("--until-eof", hidden=True)]


def one_line_errors(command: Callable[P, None]) -> Callable[P, None]:
    """What the operator has to change is one line on standard error and exit code 1 (2 for a setting)."""

    @wraps(command)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except SettingsError as error:
            typer.echo(f"nightdesk: {error}", err=True)
            raise typer.Exit(2) from None
        except CannotGoOn as error:
            typer.echo(f"nightdesk: {error}", err=True)
            raise typer.Exit(1) from None
        except KeyboardInterrupt:
            raise typer.Exit(130) from None

    return guarded


@app.command()
@one_line_errors
def chat(
    conversation: Annotated[str | None, typer.Option(help="Its id; resumed when it exists.")] = None,
    guest: Annotated[str | None, typer.Option(help='As in "Ada Lovelace <ada@example.com>".')] = None,
    state: State = None,
    temporal_port: TemporalPort = None,
    ui_port: UiPort = None,
    hotels_port: HotelsPort = None,
    no_worker: NoWorker = False,
) -> None:
    """Talk to the desk in this terminal, the whole stack included. Works with piped input, a message a line."""
    from clients.process import run
    from clients.sessions import Ports, talk

    run(talk(_settings(state), Ports(temporal_port, ui_port, hotels_port), conversation, guest, worker=not no_worker))


@app.command()
@one_line_errors
def up(
    state: State = None,
    temporal_port: TemporalPort = None,
    ui_port: UiPort = None,
    hotels_port: HotelsPort = None,
    no_worker: NoWorker = False,
) -> None:
    """Run the stack until Ctrl-C. Prints one line of JSON once everything answers."""
    from clients.process import run, until_stopped
    from clients.sessions import Ports, stay_up

    run(until_stopped(stay_up(_settings(state), Ports(temporal_port, ui_port, hotels_port), worker=not no_worker)))


@app.command()
@one_line_errors
def worker(until_eof: UntilEof = False) -> None:
    """Run one worker against the Temporal server that TEMPORAL_ADDRESS names."""
    from clients.process import run, stop_at_end_of_input
    from worker import work

    if until_eof:
        stop_at_end_of_input()
    run(work(_settings(None)))


@app.command()
@one_line_errors
def hotels(
    stdio: Annotated[bool, typer.Option("--stdio", help="Over standard input and output.")] = False,
    host: Annotated[str, typer.Option(help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any free one.")] = HOTELS_PORT,
    until_eof: UntilEof = False,
) -> None:
    """Run the hotel search server (MCP), over HTTP unless told otherwise."""
    from clients.hotel_server import serve
    from clients.process import stop_at_end_of_input

    if until_eof:
        stop_at_end_of_input()
    serve(_settings(None), stdio=stdio, host=host, port=port)


@database.command()
@one_line_errors
def upgrade(state: State = None) -> None:
    """Create or migrate the hotel database, and add the hotels that are missing."""
    from clients.hotel_server import upgrade_database

    settings = _settings(state)
    upgrade_database(settings)
    typer.echo(f"{settings.database_shown} is up to date")


def _settings(state: Path | None) -> Settings:
    return load_settings(state=state)


def main() -> None:
    """The program: the command, then an exit that cannot crash."""
    from clients.process import leave

    code = 0
    try:
        app()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 1
    leave(code)


if __name__ == "__main__":
    sys.exit(main())
