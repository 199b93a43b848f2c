"""Words of scenarios: every record in plain English sentences, made of the data alone.

Nothing here knows a game: :class:`Names` is given what kinds of units, terrain and features are called.

Examples
--------
>>> from studio.model import SetUp
>>> describe_area(SetUp(terrain=("light_urban",), first_column="Q"))
'in light urban hexes, in columns from Q on'
"""

from studio.model.wording.aims import (
    note_sentence,
    result_sentences,
    victory_sentences,
)
from studio.model.wording.areas import area_phrase, area_words, describe_area, distance_phrase
from studio.model.wording.chance import lot_phrase, pool_sentences, rolls_phrase, row_sentences, table_sentences
from studio.model.wording.clauses import clause_phrase, clause_sentences
from studio.model.wording.credits import Credited, credit_line, credit_sentences
from studio.model.wording.names import Names
from studio.model.wording.objectives import objective_name, objective_phrase, objective_sentences
from studio.model.wording.schedule import (
    cup_sentences,
    ends_at_once,
    event_sentences,
    event_when,
    extended_sentence,
    length_sentences,
    period_sentences,
    support_name,
    support_sentences,
)
from studio.model.wording.special import (
    control_sentences,
    erratum_sentences,
    kind_sentences,
    map_sentences,
    source_sentence,
    special_sentences,
    variant_sentences,
)
from studio.model.wording.triggers import trigger_phrase
from studio.model.wording.units import (
    alike_units,
    arrival_sentences,
    force_sentences,
    formation_sentences,
    ratings_phrase,
    restraint_sentences,
    unit_lines,
    unit_phrase,
)

__all__ = [
    "Credited",
    "Names",
    "alike_units",
    "area_phrase",
    "area_words",
    "arrival_sentences",
    "clause_phrase",
    "clause_sentences",
    "control_sentences",
    "credit_line",
    "credit_sentences",
    "cup_sentences",
    "describe_area",
    "distance_phrase",
    "ends_at_once",
    "erratum_sentences",
    "event_sentences",
    "event_when",
    "extended_sentence",
    "force_sentences",
    "formation_sentences",
    "kind_sentences",
    "length_sentences",
    "lot_phrase",
    "map_sentences",
    "note_sentence",
    "objective_name",
    "objective_phrase",
    "objective_sentences",
    "period_sentences",
    "pool_sentences",
    "ratings_phrase",
    "restraint_sentences",
    "result_sentences",
    "rolls_phrase",
    "row_sentences",
    "source_sentence",
    "special_sentences",
    "support_name",
    "support_sentences",
    "table_sentences",
    "trigger_phrase",
    "unit_lines",
    "unit_phrase",
    "variant_sentences",
    "victory_sentences",
]
