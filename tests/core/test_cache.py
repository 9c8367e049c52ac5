"""A cache that is bounded by the sizes of what it holds."""

from satdoku.cache import SizedCache


def test_values_are_kept_up_to_a_total_and_those_used_last_stay() -> None:
    kept = SizedCache[str](10)
    kept.put("a", "four", 4)
    kept.put("b", "also", 4)
    kept.put("b", "ignored", 4)
    assert kept.get("a") == "four"
    kept.put("c", "fives", 5)
    assert [kept.get(key) for key in "abc"] == ["four", None, "fives"]
    assert kept.total == 9
    kept.put("d", "too large", 11)
    assert kept.total == 0
    assert [kept.get(key) for key in "acd"] == [None, None, None]
