"""Checks of what a map says in words: types, tags and labels, what is part of what, what links join, sources."""

from __future__ import annotations

from collections.abc import Iterator

from studio.checks.finding import Fault, check
from studio.checks.subject import MapSubject, mend, with_article
from studio.errors import LabelError, nearest
from studio.model import Aperture, Area, Delete, Link, Name, Place, Wall
from studio.model.topology import label_fault

__all__ = ["CHECKS"]


@check("map.drawn_type", "error", "Areas, places, walls, apertures and links are of the game's types")
def _drawn_type(subject: MapSubject) -> Iterator[Fault]:
    for feature in subject.model.features.values():
        if not isinstance(feature, Area | Place | Wall | Aperture | Link):
            continue
        kind = str(type(feature).__struct_config__.tag)
        known = subject.ruleset.drawn_types(kind)
        if feature.type not in known:
            remedy = f"the game has {', '.join(known) or f'no {kind}s'}"
            yield Fault(feature.id, f"unknown {kind} {feature.type!r}", remedy, subject.place_of(feature))


@check("map.tag_known", "warning", "A tag is one that the game gives to such an area or place")
def _tag_known(subject: MapSubject) -> Iterator[Fault]:
    drawn: list[Area | Place] = [*subject.areas.values(), *subject.survey.features_of(Place)]
    for feature in drawn:
        tables = subject.ruleset.area_types if isinstance(feature, Area) else subject.ruleset.place_types
        kind = tables.get(feature.type)
        if kind is None or not kind.tags:
            continue
        for tag in feature.tags:
            if kind.tag(tag) is None:
                message = f"{kind.name.lower()} {feature.name or feature.id} has the tag {tag!r}, which says nothing"
                yield Fault(feature.id, message, nearest(tag, kind.tags), subject.place_of(feature))


@check("map.label_once", "error", "No two locations have one label")
def _label_once(subject: MapSubject) -> Iterator[Fault]:
    for label, claimants in sorted(subject.directory.clashes.items()):
        message = f"{len(claimants)} locations are called {label!r}: {', '.join(claimants)}"
        second = subject.model.features[claimants[-1]]
        yield Fault(label, message, "give each a name of its own", subject.place_of(second))


@check("map.label_form", "error", "A label has no comma, no line break and no blank at its ends")
def _label_form(subject: MapSubject) -> Iterator[Fault]:
    for place in subject.directory.others:
        feature = subject.model.features.get(place.feature)
        if isinstance(feature, Area | Place) and (fault := label_fault(feature.name)):
            message = f"its label {feature.name!r} {fault}"
            yield Fault(place.feature, message, "give it another: map.rename(id, label)", place.dot)


@check("map.part_of", "error", "What an area or a place is part of is an area of the map")
def _part_of(subject: MapSubject) -> Iterator[Fault]:
    parts: list[Area | Place] = [*subject.areas.values(), *subject.survey.features_of(Place)]
    for feature in parts:
        if feature.within and feature.within not in subject.areas:
            message = f"is part of {feature.within!r}, which is no area"
            yield Fault(feature.id, message, nearest(feature.within, subject.areas), subject.place_of(feature))
        if isinstance(feature, Area) and subject.is_within(feature.id, feature.id):
            remedy = "name the area around it, or none"
            yield Fault(feature.id, "is part of itself", remedy, subject.place_of(feature))


@check("map.whole", "error", "A part names the whole that it is part of, such as a room its building")
def _whole(subject: MapSubject) -> Iterator[Fault]:
    for area in subject.areas.values():
        wanted = subject.whole_types(area)
        whole = subject.areas.get(area.within)
        if not wanted or (area.within and whole is None) or (whole is not None and whole.type in wanted):
            continue
        said = f"is part of {whole.id}, {with_article(whole.type)}" if whole is not None else "is part of no area"
        kinds = " or ".join(wanted)
        yield Fault(
            area.id, f"{with_article(area.type)} {said}", f"name the {kinds} around it (within)", subject.place_of(area)
        )


@check("map.ends_exist", "error", "Links and apertures belong to locations of the map")
def _ends_exist(subject: MapSubject) -> Iterator[Fault]:
    ends: list[tuple[Link | Aperture, str]] = []
    for link in subject.survey.features_of(Link):
        ends += [(link, label) for label in dict.fromkeys((link.a, link.b))]
    ends += [(aperture, aperture.into) for aperture in subject.survey.features_of(Aperture)]
    for feature, label in ends:
        try:
            subject.directory.number(label)
        except LabelError as error:
            yield Fault(feature.id, str(error), "name a location of the map", subject.place_of(feature))


@check("map.link_self", "error", "A link joins two locations")
def _link_self(subject: MapSubject) -> Iterator[Fault]:
    for link in subject.survey.features_of(Link):
        if link.a == link.b:
            yield Fault(link.id, f"leads from {link.a} to itself", "name another location", subject.dot(link.a))


@check("map.link_twice", "warning", "Two locations are linked once by what is of one type")
def _link_twice(subject: MapSubject) -> Iterator[Fault]:
    first: dict[tuple[str, ...], Link] = {}
    for link in subject.survey.features_of(Link):
        kind = subject.ruleset.link_types.get(link.type)
        # What joins two locations says the same from either end; a route and a target symbol lead from a to b.
        mutual = not link.one_way and kind is not None and kind.joins
        ends = [(link.type, link.a, link.b), *([(link.type, link.b, link.a)] if mutual else [])]
        kept = next((first[end] for end in ends if end in first), None)
        if kept is None:
            first.update(dict.fromkeys(ends, link))
            continue
        same = (kept.one_way, kept.order, kept.text) == (link.one_way, link.order, link.text)
        title = f"Delete {link.id}, which says what {kept.id} says"
        repair = mend(title, Delete(collection="features", id=link.id)) if same else None
        joined = f"between {link.a} and {link.b}" if mutual else f"from {link.a} to {link.b}"
        message = f"{link.type} {joined} is drawn twice: {kept.id} and {link.id}"
        yield Fault(link.id, message, "delete one of them", subject.dot(link.a), repair)


@check("map.name_inside", "warning", "Place names lie on the map and say something")
def _name_inside(subject: MapSubject) -> Iterator[Fault]:
    x0, y0, x1, y1 = subject.grid.frame
    for name in subject.survey.features_of(Name):
        if not (x0 <= name.at[0] <= x1 and y0 <= name.at[1] <= y1):
            message = f"the name {name.text[:40]!r} lies off the map at {name.at}"
            yield Fault(name.id, message, "move it onto the map", name.at)
        if not name.text.strip():
            repair = mend(f"Delete the empty name {name.id}", Delete(collection="features", id=name.id))
            yield Fault(name.id, "an empty name", "write its text, or delete it", name.at, repair)


@check("map.sources", "warning", "A map says where it comes from")
def _sources(subject: MapSubject) -> Iterator[tuple[str, str, str]]:
    if not subject.model.sources:
        yield "sources", "no source is named", "name at least yourself: map.set('sources', [{'title': ...}])"


CHECKS = (
    _drawn_type,
    _tag_known,
    _label_once,
    _label_form,
    _part_of,
    _whole,
    _ends_exist,
    _link_self,
    _link_twice,
    _name_inside,
    _sources,
)
