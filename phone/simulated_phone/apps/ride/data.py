"""The ride app's data: destinations, kinds of cars, and the state of a fresh phone."""

from __future__ import annotations

import random
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from simulated_phone.goals.app_definition import State, generator
from simulated_phone.language.language import messages

from ..maps.data import NAMES, Place, places
from ..maps.goals import MAPS

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = "com.simulated.dache", _("打车"), "#e8730c"
SEARCH = _("您要去哪儿")
CARS: Mapping[str, int] = MappingProxyType(
    {_("快车"): 230, _("特惠车"): 180, _("出租车"): 260, _("专车"): 420, _("商务车"): 560}
)
"""Kinds of cars -> fen a kilometre."""
DESTINATIONS = {name: kind for kind, names in NAMES.items() for name in names}
"""Every destination and its kind."""
HOURS = range(6, 24)
BOOKED_DAY = _("4月12日")
STARS = (1, 2, 3, 4, 5)


def find_destination(seed: int, name: str) -> Place:
    """A destination: the place on the phone's map, or one farther away."""
    for place in places(seed):
        if place.name == name:
            return place
    rng = generator(f"{PACKAGE}:{name}", seed)
    x, y = rng.choice((-1, 1)) * rng.randrange(3900, 8000), rng.choice((-1, 1)) * rng.randrange(400, 6000)
    address, rating = _("环城路 {randrange} 号").format(randrange=rng.randrange(1, 400)), "4.5"
    return Place(name=name, kind=DESTINATIONS[name], x=x, y=y, address=address, rating=rating)


def own_place(state: State, seed: int, where: str) -> str:
    """The person's home ("家") or office ("公司"): the map's until it is changed here."""
    return str(state["places"].get(where) or MAPS.fresh(seed)[where])


def build_own_button(where: str) -> str:
    """The words of the button that goes there."""
    return (_("回{where}") if where == _("家") else _("去{where}")).format(where=where)


def fare(seed: int, name: str, car: str) -> int:
    """The price of a ride, fen."""
    return 1000 + 10 * (find_destination(seed, name).metres * CARS[car] // 10_000)


def booking_time(booking: Mapping[str, Any]) -> str:
    """The time of a booking as text: 08:20."""
    return f"{booking['hour']:02d}:{booking['minute']:02d}"


def make_state(rng: random.Random) -> State:
    """Draw earlier trips and two bookings."""
    names = rng.sample(sorted(DESTINATIONS), 8)
    trips = [
        {
            "id": number,
            "place": name,
            "car": rng.choice(list(CARS)[:3]),
            "day": _("3月{value}日").format(value=9 - number),
            "stars": 0,
        }
        for number, name in enumerate(names[:6], 1)
    ]
    bookings = [
        {
            "id": number,
            "place": name,
            "car": _("快车"),
            "hour": rng.choice(HOURS),
            "minute": rng.choice((20, 50)),
        }
        for number, name in enumerate(names[6:], 7)
    ]
    return {
        "ride": None,
        "trips": trips,
        "bookings": bookings,
        "next": 9,
        "places": {},
        "invoices": [],
        "emergency": [],
    }
