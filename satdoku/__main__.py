"""`python -m satdoku`, and the command itself."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command. Ctrl-C while it is still being imported ends it as it does later."""
    try:
        from satdoku.cli import app
    except KeyboardInterrupt:
        print("satdoku: interrupted", file=sys.stderr)
        sys.exit(130)
    app(prog_name="satdoku")


if __name__ == "__main__":
    main()
