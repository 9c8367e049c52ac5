"""Nothing old looks current: what the page shows in each frame between a change and the answer to it."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright", reason="the package playwright is not installed")

from playwright.sync_api import expect
from support.web_page import PROGRAM, Setter

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")
UNIQUE = "4..3....1....2.4"
SLOW = """() => {
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function(data) {
        const until = frames_seen.length + 8;
        const later = () => frames_seen.length < until ? requestAnimationFrame(later) : send.call(this, data);
        later();
    };
}"""
"""Each question comes late to the server, so that the old answer stands for several of the sampled frames."""
SAMPLE = """() => {
    window.frames_seen = [];
    const look = () => {
        const fill = (each) => getComputedStyle(each).fill;
        frames_seen.push({
            givens: document.querySelectorAll(".given").length,
            verdict: verdict.textContent,
            soft: getComputedStyle(verdict).color === getComputedStyle(detail).color,
            candidates: [...new Set([...document.querySelectorAll(".digits .candidate")].map(fill))],
            red: document.querySelectorAll(".bad, .tint .cause, .tint .conflict, #replies .conflict").length,
            tinted: document.querySelectorAll(".tint .differ").length,
            age: age.textContent,
        });
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""


def test_the_same_puzzle_again_has_its_answer(setter: Setter) -> None:
    setter.read(UNIQUE)
    setter.verdict("One solution")
    setter.rest()
    setter.read(UNIQUE)
    setter.verdict("One solution")
    setter["play"].click()
    setter.read(UNIQUE)
    setter["play"].click()
    setter.verdict("One solution")


def test_no_old_answer_keeps_its_colour(setter: Setter) -> None:
    setter.read(UNIQUE)
    setter.verdict("One solution")
    green = setter.page.locator(".candidate").first.evaluate("each => getComputedStyle(each).fill")
    givens = setter.page.locator(".given").count()
    setter.page.evaluate(SAMPLE)
    setter.page.evaluate(SLOW)
    setter.click("r1c2")
    setter.type("4")
    expect(setter["replies"].locator(".conflict").first).to_be_attached()
    setter.page.keyboard.press("Control+z")
    setter.rest()
    setter.click("r1c1")
    setter.type("Delete")
    expect(setter["answer"]).not_to_have_class("stale")
    setter.verdict("Several solutions")
    setter.page.keyboard.press("Control+z")
    setter.verdict("One solution")
    expect(setter["board"]).not_to_have_class("stale")
    seen = setter.page.evaluate("frames_seen")
    right = {givens: "One solution", givens + 1: "No solution", givens - 1: "Several solutions"}
    old = [frame for frame in seen if frame["verdict"] != right[frame["givens"]]]
    assert {frame["verdict"] for frame in old} == set(right.values())  # each stood for a while after a change
    for frame in old:
        assert frame["soft"] and not frame["red"] and not frame["tinted"], frame
        assert green not in frame["candidates"], frame
    assert any(not frame["soft"] and green in frame["candidates"] for frame in seen)


def test_an_old_answer_has_its_age_and_is_not_read_out(setter: Setter) -> None:
    setter.read(UNIQUE)
    setter.verdict("One solution")
    expect(setter["r1c2"]).to_have_attribute("aria-label", "r1c2: only 1")
    setter.page.evaluate("WebSocket.prototype.send = () => {}")  # no question arrives
    setter.click("r1c1")
    setter.type("Delete")
    expect(setter["age"]).to_have_text("1 s old")
    expect(setter["r1c2"]).to_have_attribute("aria-label", "r1c2: empty")
    for shown, old in (("candidates", True), ("normal", False), ("solution", True)):  # normal ones are always new
        setter["show"].select_option(shown)
        expect(setter["board"]).to_have_class("stale" if old else "")
