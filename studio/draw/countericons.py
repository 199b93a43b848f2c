"""What counters show of a unit: the basic signs of APP-6 in their frame, soldiers, vehicles and things of the field.

The libraries that draw all of APP-6 were tried: one needs a newer Python than the studio and four more packages, the
other reads 140 MB to draw its first sign. Wargames need some thirty signs, which are simple lines.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from studio.draw.counterpen import CounterPen

__all__ = ["FIGURES", "FRAME", "SIGNS", "THINGS"]

FRAME = (190, 284, 620, 384)
"""Left, top, width and height of the frame of a sign."""

_X0, _Y0 = FRAME[0], FRAME[1]
_X1, _Y1 = _X0 + FRAME[2], _Y0 + FRAME[3]
_CX, _CY = (_X0 + _X1) / 2, (_Y0 + _Y1) / 2

Painter = Callable[[CounterPen], None]


# -- signs in a frame ------------------------------------------------------------------------------------------------


def _infantry(pen: CounterPen) -> None:
    pen.line((_X0, _Y0), (_X1, _Y1))
    pen.line((_X0, _Y1), (_X1, _Y0))


def _armor(pen: CounterPen) -> None:
    pen.box(_CX - 205, _CY - 95, 410, 190, round=95, stroke=pen.ink, width=30)


def _motor(pen: CounterPen) -> None:
    pen.line((_CX, _Y0), (_CX, _Y1))


def _recon(pen: CounterPen) -> None:
    pen.line((_X0, _Y1), (_X1, _Y0))


def _artillery(pen: CounterPen) -> None:
    pen.disc(_CX, _CY, 62, fill=pen.ink)


def _mortar(pen: CounterPen) -> None:
    pen.disc(_CX, _CY + 96, 42, stroke=pen.ink, width=28)
    pen.line((_CX, _CY + 54), (_CX, _CY - 130))
    pen.line((_CX - 62, _CY - 66), (_CX, _CY - 134), (_CX + 62, _CY - 66))


def _machine_gun(pen: CounterPen) -> None:
    pen.line((_CX, _CY + 130), (_CX, _CY - 130))
    pen.line((_CX - 62, _CY - 66), (_CX, _CY - 134), (_CX + 62, _CY - 66))
    pen.line((_CX - 70, _CY + 130), (_CX + 70, _CY + 130))
    pen.line((_CX - 46, _CY + 70), (_CX + 46, _CY + 70))


def _grenades(pen: CounterPen) -> None:
    _machine_gun(pen)
    pen.disc(_CX, _CY - 20, 46, fill="#ffffff", stroke=pen.ink, width=26)


def _anti_tank(pen: CounterPen) -> None:
    pen.line((_X0, _Y1), (_CX, _Y0), (_X1, _Y1))


def _rocket(pen: CounterPen) -> None:
    pen.line((_CX, _CY + 130), (_CX, _CY - 130))
    pen.line((_CX - 66, _CY - 46), (_CX, _CY - 134), (_CX + 66, _CY - 46))
    pen.line((_CX - 66, _CY + 30), (_CX, _CY - 58), (_CX + 66, _CY + 30))


def _missile(pen: CounterPen) -> None:
    pen.path(
        f"M{_CX - 52:.0f} {_CY + 130:.0f}L{_CX - 52:.0f} {_CY - 70:.0f}C{_CX - 52:.0f} {_CY - 160:.0f} "
        f"{_CX + 52:.0f} {_CY - 160:.0f} {_CX + 52:.0f} {_CY - 70:.0f}L{_CX + 52:.0f} {_CY + 130:.0f}",
        stroke=pen.ink,
        width=28,
    )
    pen.line((_CX - 90, _CY + 130), (_CX + 90, _CY + 130))


def _air_defence(pen: CounterPen) -> None:
    low, top = _Y1, _Y1 - 190
    pen.path(f"M{_X0} {low}C{_X0 + 90} {top} {_X1 - 90} {top} {_X1} {low}", stroke=pen.ink, width=30)


def _engineer(pen: CounterPen) -> None:
    pen.line((_CX - 170, _CY + 88), (_CX - 170, _CY - 72), (_CX + 170, _CY - 72), (_CX + 170, _CY + 88))
    pen.line((_CX, _CY - 72), (_CX, _CY + 88))


def _supply(pen: CounterPen) -> None:
    pen.line((_X0, _Y1 - 90), (_X1, _Y1 - 90))


def _transport(pen: CounterPen) -> None:
    pen.disc(_CX, _CY, 118, stroke=pen.ink, width=28)
    for n in range(4):
        x, y = 118 * cos(n * pi / 4), 118 * sin(n * pi / 4)
        pen.line((_CX - x, _CY - y), (_CX + x, _CY + y), width=22)


def _mountain(pen: CounterPen) -> None:
    pen.shape((_CX - 82, _Y1), (_CX, _Y1 - 140), (_CX + 82, _Y1), fill=pen.ink)


def _naval(pen: CounterPen) -> None:
    pen.line((_CX, _CY - 96), (_CX, _CY + 134))
    pen.line((_CX - 66, _CY - 56), (_CX + 66, _CY - 56), width=26)
    pen.disc(_CX, _CY - 122, 26, stroke=pen.ink, width=22)
    pen.path(
        f"M{_CX - 118:.0f} {_CY + 40:.0f}C{_CX - 100:.0f} {_CY + 120:.0f} {_CX - 40:.0f} {_CY + 136:.0f} "
        f"{_CX:.0f} {_CY + 136:.0f}C{_CX + 40:.0f} {_CY + 136:.0f} {_CX + 100:.0f} {_CY + 120:.0f} "
        f"{_CX + 118:.0f} {_CY + 40:.0f}",
        stroke=pen.ink,
        width=28,
    )


def _helicopter(pen: CounterPen) -> None:
    pen.shape((_CX - 190, _CY - 88), (_CX, _CY), (_CX - 190, _CY + 88), fill=pen.ink)
    pen.shape((_CX + 190, _CY - 88), (_CX, _CY), (_CX + 190, _CY + 88), fill=pen.ink)


def _drone(pen: CounterPen) -> None:
    pen.shape(
        (_CX - 220, _CY - 66), (_CX, _CY + 10), (_CX + 220, _CY - 66),
        (_CX + 220, _CY - 6), (_CX, _CY + 92), (_CX - 220, _CY - 6), fill=pen.ink,
    )  # fmt: skip


def _plane(pen: CounterPen) -> None:
    for way in (-1, 1):
        pen.path(
            f"M{_CX:.0f} {_CY:.0f}C{_CX + way * 90:.0f} {_CY - 110:.0f} {_CX + way * 210:.0f} {_CY - 90:.0f} "
            f"{_CX + way * 210:.0f} {_CY:.0f}C{_CX + way * 210:.0f} {_CY + 90:.0f} {_CX + way * 90:.0f} "
            f"{_CY + 110:.0f} {_CX:.0f} {_CY:.0f}Z",
            fill=pen.ink,
        )


def _sniper(pen: CounterPen) -> None:
    pen.disc(_CX, _CY, 88, stroke=pen.ink, width=26)
    for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        pen.line((_CX + 40 * x, _CY + 40 * y), (_CX + 140 * x, _CY + 140 * y), width=26)


def _leader(pen: CounterPen) -> None:
    points = []
    for n in range(10):
        radius = 138 if n % 2 == 0 else 56
        points.append((_CX + radius * sin(n * pi / 5), _CY + 10 - radius * cos(n * pi / 5)))
    pen.shape(*points, fill=pen.ink)


def _observer(pen: CounterPen) -> None:
    pen.shape((_CX - 140, _CY + 110), (_CX, _CY - 120), (_CX + 140, _CY + 110), stroke=pen.ink, width=28)
    pen.disc(_CX, _CY + 34, 32, fill=pen.ink)


def _guard(pen: CounterPen) -> None:
    pen.box(_X0, _Y0, FRAME[2], 74, fill=pen.ink)


def _staff(pen: CounterPen) -> None:
    pen.line((_X0, _Y1), (_X0, 905), width=34)


def _wheels(pen: CounterPen) -> None:
    for x in (_X0 + 90, _CX, _X1 - 90):
        pen.disc(x, _Y1 + 36, 30, fill="#ffffff", stroke=pen.ink, width=22)


def _tracks(pen: CounterPen) -> None:
    pen.box(_X0 + 60, _Y1 + 10, FRAME[2] - 120, 52, round=26, fill="#ffffff", stroke=pen.ink, width=20)


SIGNS: dict[str, Painter] = {
    "infantry": _infantry,
    "armor": _armor,
    "motor": _motor,
    "recon": _recon,
    "artillery": _artillery,
    "mortar": _mortar,
    "machine_gun": _machine_gun,
    "grenades": _grenades,
    "anti_tank": _anti_tank,
    "rocket": _rocket,
    "missile": _missile,
    "air_defence": _air_defence,
    "engineer": _engineer,
    "supply": _supply,
    "transport": _transport,
    "mountain": _mountain,
    "naval": _naval,
    "helicopter": _helicopter,
    "drone": _drone,
    "plane": _plane,
    "sniper": _sniper,
    "leader": _leader,
    "observer": _observer,
    "guard": _guard,
    "staff": _staff,
    "wheels": _wheels,
    "tracks": _tracks,
}
"""Signs that stand in a frame, alone or several over one another."""


# -- soldiers and vehicles as pictures ---------------------------------------------------------------------------------


def _soldier(pen: CounterPen, x: float, foot: float, high: float, *, scarf: bool = False, cap: bool = False) -> None:
    """Draw a soldier who stands at a foot point."""
    u = high / 100
    head = foot - 84 * u
    pen.shape(
        (x - 15 * u, foot), (x - 19 * u, foot - 66 * u), (x + 19 * u, foot - 66 * u), (x + 15 * u, foot),
        (x + 4 * u, foot), (x, foot - 30 * u), (x - 4 * u, foot), fill=pen.ink,
    )  # fmt: skip
    pen.disc(x, head, 11 * u, fill=pen.ink)
    if scarf:
        pen.shape((x - 16 * u, head + 17 * u), (x, head - 17 * u), (x + 16 * u, head + 17 * u), fill=pen.ink)
        pen.box(x - 7 * u, head - 3 * u, 14 * u, 8 * u, fill="#ffffff")
    elif cap:
        pen.box(x - 12 * u, head - 14 * u, 24 * u, 8 * u, fill=pen.ink)
    else:
        pen.path(
            f"M{x - 17 * u:.0f} {head:.0f}C{x - 17 * u:.0f} {head - 23 * u:.0f} {x + 17 * u:.0f} {head - 23 * u:.0f} "
            f"{x + 17 * u:.0f} {head:.0f}Z",
            fill=pen.ink,
        )
    pen.line((x - 30 * u, foot - 30 * u), (x + 27 * u, foot - 72 * u), width=max(10, int(6 * u)))


def _squad(pen: CounterPen) -> None:
    _soldier(pen, 285, 660, 400)
    _soldier(pen, 715, 660, 400)
    _soldier(pen, 500, 690, 460)


def _allies(pen: CounterPen) -> None:
    _soldier(pen, 285, 660, 400, cap=True)
    _soldier(pen, 715, 660, 400, cap=True)
    _soldier(pen, 500, 690, 460, cap=True)


def _guerillas(pen: CounterPen) -> None:
    _soldier(pen, 350, 680, 430, scarf=True)
    _soldier(pen, 650, 680, 430, scarf=True)


def _martyr(pen: CounterPen) -> None:
    _soldier(pen, 500, 690, 470, scarf=True)
    for x in (452, 500, 548):
        pen.box(x - 17, 450, 30, 74, fill="#ffffff")


def _suspect(pen: CounterPen) -> None:
    pen.disc(500, 330, 74, fill=pen.ink)
    pen.path("M330 690C330 520 400 430 500 430C600 430 670 520 670 690Z", fill=pen.ink)
    pen.word("?", 500, 560, 240, "#ffffff")


def _civilians(pen: CounterPen) -> None:
    for x, y, u in ((330, 0, 0.8), (670, 0, 0.8), (500, 30, 1.0)):
        pen.disc(x, 400 + y - 62 * u, 58 * u, fill=pen.ink, stroke="#ffffff", width=14)
        pen.path(
            f"M{x - 120 * u:.0f} {660 + y}C{x - 120 * u:.0f} {470 + y} {x - 50 * u:.0f} {420 + y} {x} {420 + y}"
            f"C{x + 50 * u:.0f} {420 + y} {x + 120 * u:.0f} {470 + y} {x + 120 * u:.0f} {660 + y}Z",
            fill=pen.ink,
            stroke="#ffffff",
            width=14,
        )


def _tank(pen: CounterPen) -> None:
    pen.box(170, 530, 660, 130, round=65, fill=pen.ink)
    for x in (250, 375, 500, 625, 750):
        pen.disc(x, 598, 34, fill="#ffffff")
    pen.shape((210, 530), (270, 440), (760, 440), (800, 530), fill=pen.ink)
    pen.shape((360, 445), (400, 345), (620, 345), (660, 445), fill=pen.ink)
    pen.line((630, 385), (930, 345), width=38)


def _gun_car(pen: CounterPen) -> None:
    pen.shape(
        (190, 600), (190, 490), (330, 480), (410, 390), (640, 390), (660, 490), (810, 500), (810, 600), fill=pen.ink
    )
    for x in (310, 690):
        pen.disc(x, 610, 72, fill=pen.ink, stroke="#ffffff", width=24)
    pen.line((520, 390), (520, 330), width=34)
    pen.line((440, 322), (760, 300), width=46)


FIGURES: dict[str, Painter] = {
    "squad": _squad,
    "allies": _allies,
    "guerillas": _guerillas,
    "martyr": _martyr,
    "suspect": _suspect,
    "civilians": _civilians,
    "tank": _tank,
    "gun_car": _gun_car,
}
"""Pictures that stand without a frame."""


# -- things of the field -----------------------------------------------------------------------------------------------


def _mine(pen: CounterPen) -> None:
    pen.disc(500, 490, 118, fill=pen.ink)
    for x in (-1, 1):
        pen.line((500 + 60 * x, 400), (500 + 150 * x, 300), width=34)


def _burst(pen: CounterPen) -> None:
    points = []
    for n in range(16):
        radius = 210 if n % 2 == 0 else 105
        points.append((500 + radius * sin(n * pi / 8), 470 - radius * cos(n * pi / 8)))
    pen.shape(*points, fill=pen.ink)


def _trench(pen: CounterPen) -> None:
    pen.line((230, 560), (330, 400), (430, 560), (530, 400), (630, 560), (730, 400), (780, 480), width=44)


def _foxholes(pen: CounterPen) -> None:
    for x in (310, 500, 690):
        pen.path(f"M{x - 78} 440C{x - 78} 580 {x + 78} 580 {x + 78} 440", stroke=pen.ink, width=40)


def _wire(pen: CounterPen) -> None:
    pen.line((220, 470), (780, 470), width=26)
    for x in (290, 430, 570, 710):
        pen.line((x - 46, 424), (x + 46, 516), width=26)
        pen.line((x - 46, 516), (x + 46, 424), width=26)


def _bunker(pen: CounterPen) -> None:
    pen.line((290, 620), (290, 360), (710, 360), (710, 620), width=60)
    pen.box(390, 450, 220, 60, fill=pen.ink)


def _barricade(pen: CounterPen) -> None:
    for x in (260, 420, 580):
        pen.line((x, 590), (x + 140, 370), width=44)
        pen.line((x, 370), (x + 140, 590), width=44)


def _shield(pen: CounterPen) -> None:
    pen.path(
        "M500 270C420 330 350 340 290 340L290 480C290 600 400 670 500 710C600 670 710 600 710 480L710 340"
        "C650 340 580 330 500 270Z",
        stroke=pen.ink,
        width=44,
    )
    pen.line((400, 490), (480, 570), (620, 410), width=44)


def _access(pen: CounterPen) -> None:
    pen.disc(500, 480, 190, stroke=pen.ink, width=40)
    for y in (400, 480, 560):
        pen.line((400, y), (600, y), width=34)


def _shells(pen: CounterPen) -> None:
    for x in (340, 500, 660):
        pen.path(
            f"M{x - 52} 620L{x - 52} 440C{x - 52} 380 {x - 20} 340 {x} 310C{x + 20} 340 {x + 52} 380 {x + 52} 440"
            f"L{x + 52} 620Z",
            fill=pen.ink,
        )


THINGS: dict[str, Painter] = {
    "mine": _mine,
    "burst": _burst,
    "trench": _trench,
    "foxholes": _foxholes,
    "wire": _wire,
    "bunker": _bunker,
    "barricade": _barricade,
    "shield": _shield,
    "access": _access,
    "shells": _shells,
}
"""Markers of the field."""
