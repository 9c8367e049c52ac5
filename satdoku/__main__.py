"""`python -m satdoku` is the command."""

from satdoku.cli import app

if __name__ == "__main__":
    app(prog_name="satdoku")
