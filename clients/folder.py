"""The state folder as a folder: made, or one line that says why it cannot be."""

from pathlib import Path

from clients.failures import CannotGoOn


def make_folder(state: Path) -> None:
    """The state folder, to be written into. Raises CannotGoOn."""
    try:
        state.mkdir(parents=True, exist_ok=True)
        (state / "lock").open("a").close()
    except OSError as error:
        raise unusable(state, error) from None


def unusable(state: Path, error: OSError) -> CannotGoOn:
    """What the operator has to change."""
    why = "it is no folder" if isinstance(error, FileExistsError | NotADirectoryError) else error.strerror
    return CannotGoOn(f"NIGHTDESK_STATE (or --state): {state} cannot be the state folder: {why or 'not possible'}")
