"""The reader of bundles in a real browser: the module as it is, without a bundler, and the same words as in Python."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from studio.files.reader import read_bundle
from tests.exchange.bundle.corpus import FOLDER
from tests.exchange.bundle.node import READER

pytestmark = pytest.mark.browser

ORIGIN = "https://engine.invalid/"
ASK = """async (bundles) => {
  const { readBundle } = await import("/reader.mjs");
  return bundles.map((text) => {
    try {
      const bundle = readBundle(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
      const labels = bundle.locations.map((location) => location.label);
      const sight = bundle.hasSight ? bundle.sight(labels[0], labels.at(-1)) : "";
      return { code: "", title: bundle.title, labels, sight };
    } catch (error) {
      return { code: error.code ?? String(error), message: error.message };
    }
  });
}"""


def test_the_reader_reads_and_refuses_in_chromium(new_page: Callable[..., Any]) -> None:
    page = new_page()
    page.route(
        ORIGIN + "**",
        lambda route: route.fulfill(
            body=READER.read_text("utf-8")
            if route.request.url.endswith(".mjs")
            else "<!doctype html><title>engine</title>",
            content_type="text/javascript" if route.request.url.endswith(".mjs") else "text/html",
        ),
    )
    page.goto(ORIGIN)
    listed = json.loads((FOLDER / "manifest.json").read_text("utf-8"))["bundles"]
    found = page.evaluate(ASK, [base64.b64encode((FOLDER / one["file"]).read_bytes()).decode() for one in listed])
    for one, answer in zip(listed, found, strict=True):
        assert answer["code"] == one.get("code", ""), (one["file"], answer)
        if one["verdict"] == "valid":
            bundle = read_bundle(FOLDER / one["file"])
            labels = [place["label"] for place in bundle.locations]
            assert (answer["title"], answer["labels"]) == (bundle.title, labels)
            if bundle.has_sight:
                assert answer["sight"] == bundle.sight(labels[0], labels[-1])
