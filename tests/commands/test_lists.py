"""`satdoku backends`, `encodings` and `variants`: everything there is."""

from __future__ import annotations

from support.cli import records, run

from satdoku import backends
from satdoku.encoders.at_most_one import METHODS
from satdoku.variants import kinds


class TestLists:
    def test_every_backend_is_listed_with_what_it_can_do(self) -> None:
        rows = records(run("backends", "--json"))
        assert [row["backend"] for row in rows] == list(backends.engines())
        for row in rows:
            assert {"backend", "installed", "encoding", "seed", "abilities", "summary", "default"} <= set(row)
            assert row["installed"] is ("reason" not in row)
        assert [row["backend"] for row in rows if row["default"]] == [backends.DEFAULT]

    def test_every_encoding_is_listed_with_its_size(self) -> None:
        record = records(run("encodings", "--box", "2x2", "--json"))
        rows = {row["encoding"]: row for row in record if "encoding" in row}
        assert rows["extended"]["formula"] == "N^3, 4N^2(1+P)"
        assert {row["at_most_one"]: row["clauses"] for row in record if "at_most_one" in row} == {
            name: method.size(4)[1] for name, method in METHODS.items()
        }
        assert {name: rows[name]["clauses"] for name in ("minimal", "efficient", "extended")} == {
            "minimal": 304,
            "efficient": 400,
            "extended": 448,
        }
        assert sum(row["default"] for row in rows.values()) == 1

    def test_the_tables_name_all_that_the_json_names(self) -> None:
        table = run("backends").stdout
        assert all(name in table for name in backends.engines())
        assert f"{backends.DEFAULT} (default)" in table
        assert "11988" in run("encodings").stdout
        assert "Sizes for 6x6 with 2x3 boxes" in run("encodings", "--box", "2x3").stdout

    def test_named_encodings_are_sized_in_the_form_named(self) -> None:
        (row,) = records(run("encodings", "--box", "2x3", "extended+product", "--json"))
        export = run("export", "-e", "extended+product", "--format", "line", "." * 36).stdout
        assert f"p cnf {row['variables']} {row['clauses']}\n" in export

    def test_a_board_too_large_to_write_has_its_size_by_formula(self) -> None:
        (row,) = records(run("encodings", "--box", "10x10", "extended", "--json"))
        assert (row["variables"], row["clauses"]) == (100**3, 4 * 100**2 * (1 + 4950))
        assert "too large" in run("encodings", "--box", "10x10", "extended+product").stderr

    def test_a_reduced_encoding_has_no_size_without_its_puzzle(self) -> None:
        result = run("encodings", "extended+reduced")
        assert result.exit_code == 2
        assert "of one puzzle" in result.stderr

    def test_every_kind_of_mark_is_listed(self) -> None:
        rows = records(run("variants", "--json"))
        assert [row["name"] for row in rows] == list(kinds())
        assert all(set(row) == {"name", "aliases", "presets", "shape", "argument", "sentence"} for row in rows)
        assert all(f"{row['name']}" in run("variants", row["name"]).stdout for row in rows[:3])
        assert run("variants", "renban-line").stdout.startswith("renban, also renban-line\n    line\n")
        result = run("variants", "renbam")
        assert (result.exit_code, result.stderr) == (
            2,
            "satdoku: unknown variant 'renbam': did you mean renban or not-renban?\n",
        )
