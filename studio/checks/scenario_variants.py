"""The check of variants: their changes can be made, and give scenarios as sound as the one that they are of."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from studio.checks.finding import Findings, Yielded, check
from studio.checks.scenario_subject import ScenarioSubject
from studio.errors import StudioError
from studio.model import ScenarioDocument, ScenarioModel, Variant

__all__ = ["check_variants", "variant_document"]

_TOLD = 3
_CHECKED = 50  # of more variants than a designer ever made only the changes are tried


def variant_document(document: ScenarioDocument, variant: Variant) -> ScenarioDocument:
    """Return the scenario that a variant makes, without variants of its own.

    Raises
    ------
    StudioError
        When one of its changes cannot be made.
    """
    model = ScenarioModel(msgspec.structs.replace(document, variants=[]))
    for change in variant.changes:
        model.perform(change)
    return model.to_document()


@check(
    "scenario.variant", "error", "The changes of a variant can be made, and give a scenario without errors of its own"
)
def check_variants(
    subject: ScenarioSubject, base: Findings, again: Callable[[ScenarioDocument], Findings]
) -> Iterator[Yielded]:
    """Yield the variants that cannot be made, and the errors that they have and the scenario has not.

    Parameters
    ----------
    subject : ScenarioSubject
    base : Findings
        Of the scenario itself.
    again : callable
        Checks the scenario that a variant makes.
    """
    known = {(finding.rule, finding.at) for finding in base.errors}
    for number, variant in enumerate(subject.document.variants, 1):
        at = f"variants/{variant.id}"
        try:
            made = variant_document(subject.document, variant)
        except StudioError as error:
            yield at, str(error), "mend the change that is named, or take it out"
            continue
        if made.map.file != subject.document.map.file:
            yield at, "changes the file of the map", "make a scenario of its own for another map"
            continue
        if number > _CHECKED:
            continue
        fresh = [finding for finding in again(made).errors if (finding.rule, finding.at) not in known]
        for finding in fresh[:_TOLD]:
            yield at, f"{finding.at}: {finding.message} [{finding.rule}]", finding.remedy
        if len(fresh) > _TOLD:
            yield at, f"and {len(fresh) - _TOLD} errors more", "mend these first"
