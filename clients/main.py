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
keys = typer.Typer(help="Keys for the encryption of payloads.", no_args_is_help=True)
database = typer.Typer(help="The hotel database.", no_args_is_help=True)
app.add_typer(reservations, name="reservations")
app.add_typer(database, name="database")
app.add_typer(keys, name="keys")

State = Annotated[
    Path | None, typer.Option("--state", help="Folder of the embedded stack's state.", show_default=".nightdesk")
]
TemporalPort = Annotated[
    int | None,
    typer.Option(min=0, max=65535, help="0: any free one.", show_default="as last time, 7233, or any free one"),
]
UiPort = Annotated[
    int | None,
    typer.Option(min=0, max=65535, help="0: any free one.", show_default="as last time, 8233, or any free one"),
]
HotelsPort = Annotated[
    int | None,
    typer.Option(
        min=0, max=65535, help="0: any free one.", show_default=f"as last time, {HOTELS_PORT}, or any free one"
    ),
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
    from clients.process import run, until_stopped
    from clients.sessions import Ports, talk

    if conversation is not None and not (conversation.isprintable() and conversation.strip()):
        raise typer.BadParameter("an id is made of printable characters", param_hint="--conversation")
    ports = Ports(temporal_port, ui_port, hotels_port)
    run(until_stopped(talk(_settings(state), ports, conversation, guest, worker=not no_worker)))


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
def worker(
    check: Annotated[
        bool, typer.Option("--check", help="Run none: exit code 0 when one on this machine asks the server for work.")
    ] = False,
    until_eof: UntilEof = False,
) -> None:
    """Run one worker against the Temporal server that TEMPORAL_ADDRESS names."""
    from clients.process import run, stop_at_end_of_input

    if check:
        from clients.operators import check_worker

        run(check_worker(_settings(None)))
        return
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
    state: State = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="A Host beside loopback that requests may name, as in hotels:*.")
    ] = None,
    until_eof: UntilEof = False,
) -> None:
    """Run the hotel search server (MCP), over HTTP unless told otherwise."""
    from clients.hotel_server import serve
    from clients.process import stop_at_end_of_input

    if until_eof:
        stop_at_end_of_input()
    serve(_settings(state), stdio=stdio, host=host, port=port, allowed_hosts=allow_host or ())


@app.command()
@one_line_errors
def show(
    conversation_id: Annotated[str, typer.Argument(metavar="ID")],
    decisions: Annotated[bool, typer.Option("--decisions", help="Every decision too, with its probabilities.")] = False,
    raw: Annotated[bool, typer.Option("--json", help="The whole state, as the state query answers.")] = False,
    state: State = None,
) -> None:
    """Show a conversation: its state and its transcript."""
    from clients import operators
    from clients.process import run

    run(operators.show(_settings(state), conversation_id, decisions=decisions, raw=raw))


@app.command()
@one_line_errors
def conversations(
    closed: Annotated[bool, typer.Option("--all", help="Closed ones too.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=10000)] = 100,
    state: State = None,
) -> None:
    """List the open conversations: stage, age, what each waits for, and which are stuck. Needs no worker."""
    from clients import operators
    from clients.process import run

    run(operators.conversations(_settings(state), closed=closed, limit=limit))


@app.command()
@one_line_errors
def doctor(state: State = None) -> None:
    """Check everything that is configured, one cheap call each. Exit code 1 when something does not work."""
    from clients import operators
    from clients.process import run

    if not run(operators.doctor(_settings(state), of_stack=state is not None)):
        raise typer.Exit(1)


@app.command("codec-server")
@one_line_errors
def codec_server(
    host: Annotated[str, typer.Option(help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8766,
    ui: Annotated[list[str] | None, typer.Option(help="The UI's origin, as in its address.")] = None,
    state: State = None,
) -> None:
    """Decrypt payloads for the Temporal UI and CLI, for those who have NIGHTDESK_CODEC_TOKEN."""
    from clients import codec_server as server
    from clients.state import running_stack

    settings = _settings(state)
    stack = running_stack(settings.state)
    usual = ["http://127.0.0.1:8233", "http://localhost:8233"]
    server.serve(settings, host, port, ui or [*usual, *([stack.ui] if stack and stack.ui else [])])


@keys.command()
def new(
    key_id: Annotated[str | None, typer.Option("--id", help="Its id; today's date unless given.")] = None,
) -> None:
    """Print a fresh key as id:base64. Put it first in NIGHTDESK_ENCRYPTION_KEYS; keep the old ones behind it."""
    from clients.encryption import fresh_key

    typer.echo(fresh_key(key_id))


@reservations.command("list")
@one_line_errors
def list_reservations(
    guest: Annotated[str | None, typer.Option(help="Only of this e-mail address.")] = None,
    active: Annotated[bool, typer.Option("--active", help="Only those that are not cancelled.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=10000)] = 100,
    state: State = None,
) -> None:
    """List reservations, the newest first."""
    from clients import reservations as desk

    _print(desk.list_reservations(_settings(state), guest=guest, active_only=active, limit=limit))


@reservations.command("show")
@one_line_errors
def show_reservation(number: Annotated[str, typer.Argument(metavar="NUMBER")], state: State = None) -> None:
    """Show one reservation."""
    from clients import reservations as desk

    _print(desk.show_reservation(_settings(state), number))


@reservations.command("cancel")
@one_line_errors
def cancel_reservation(
    number: Annotated[str, typer.Argument(metavar="NUMBER")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    state: State = None,
) -> None:
    """Cancel a reservation and give its nights back."""
    from clients import reservations as desk

    settings = _settings(state)
    if not yes and sys.stdin.isatty():
        _print(desk.show_reservation(settings, number))
        typer.confirm("Cancel it?", abort=True)
    _print(desk.cancel_reservation(settings, number))


@database.command()
@one_line_errors
def upgrade(state: State = None) -> None:
    """Create or migrate the hotel database, and add the hotels that are missing."""
    from clients.ledgers import upgrade_database

    settings = _settings(state)
    upgrade_database(settings)
    typer.echo(f"{settings.database_shown} is up to date")


def _print(lines: list[str]) -> None:
    for line in lines:
        typer.echo(line)


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
