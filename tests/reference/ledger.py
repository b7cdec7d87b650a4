"""Votes, money and pollution recounted answer by answer, in plain Python from the rule text.

    ledger = Ledger(state)
    ledger.enter(before, action, after)    # every answer, forced ones included
    ledger.differences()                   # where the engine's counts differ

One answer can carry a game through phases that ask nothing. So every entry books the answer itself first,
then its move if it is one of Phase 3, then the phases passed.
"""

from typing import Any

from smallcity_env.rules import actions
from smallcity_env.rules.phases.pollution import DYING, TRAMPLING
from smallcity_env.rules.tables import (
    GROW_COST,
    HOME_VOTES,
    MUSEUM_FEE,
    SHOP_MONEY,
    SHOP_VOTES,
    TOURIST_FEE,
    UNIVERSITY_VOTES,
    Ask,
    Card,
    Family,
    Material,
    Pay,
    Phase,
    Place,
    Row,
)
from smallcity_env.rules.tables.cards import ADVANCE_COST, FINANCE, TRADE_MONEY, TRADE_VOTES
from smallcity_env.rules.tables.maps import Board
from smallcity_env.rules.tables.tiles import Kind
from tests.reference.builds import PLANTS, Site
from tests.reference.placements import covered_by
from tests.reference.position import ROW_OF, Town, influence, towns

A, B, C, D = range(4)  # spaces of a commercial tile (C1)


class Ledger:
    """The accounts of all players of one game."""

    def __init__(self, state: Any) -> None:
        self.smoke = [0, 0, 0, 0]  # factory spaces that produced this round (P6.1)
        self._open(towns(state))

    def _open(self, boroughs: list[Town]) -> None:
        self.towns = boroughs
        self.votes = [town.votes for town in boroughs]
        self.money = [town.money for town in boroughs]
        self.flood = [town.flood for town in boroughs]  # money that cannot build this round (AS7)
        self.pollution = [town.pollution for town in boroughs]
        self.worked = [town.worked for town in boroughs]

    def differences(self) -> list[str]:
        """Where the state after the answer differs from the ledger."""
        differing, state = [], self.after
        for p, town in enumerate(self.later):
            for name in ("votes", "money", "flood", "pollution"):
                mine, theirs = getattr(self, name)[p], getattr(town, name)
                if mine != theirs:
                    differing.append(f"seat {p}: {name} {theirs}, counted {mine}")
            building = state["phase"] in (Phase.SELECT, Phase.BUILD, Phase.MOVE)
            if building and self.worked[p] != town.worked:
                differing.append(f"seat {p}: worked {town.worked}, counted {self.worked[p]}")
        return differing

    def enter(self, before: Any, action: int, after: Any) -> None:
        """Book one answer."""
        self._open(towns(before))
        self.before, self.after, self.later = before, after, towns(after)
        self.in_game = [p for p, town in enumerate(self.towns) if not town.out]
        self._book(action)
        self._move(action)
        for town in self.towns:
            self.worked[town.seat] = set(town.worked)
        if self._passes(Phase.INCOME):
            self._income()
        if self._measures():
            self._measure()
        if self._visits():
            self.smoke = [0, 0, 0, 0]
        if self._round_ends():
            self.flood = [0] * len(self.towns)  # AS7: from now on money like any other
        if not self._same_round():
            self.worked = [set() for _ in self.towns]

    # -- the answer itself

    def _book(self, action: int) -> None:
        p, ask = int(self.before["seat"]), Ask(int(self.before["ask"]))
        if ask is Ask.WHAT and action == actions.ENLARGE:
            self._spend(p, GROW_COST)
        elif ask is Ask.WHERE and self.before["kind"] in PLANTS:
            helped = self.towns[p].card == Card.MEDIATOR
            self.money[p] -= ROW_OF[Kind(int(self.before["kind"]))].money - helped
        elif ask is Ask.WAY:
            self._build(p, action)
        elif ask is Ask.SUPPORT:
            self._gain(p, action - actions.PAY, money=1, votes=2)
        elif ask is Ask.PAY:
            self._advance(p, action - actions.PAY)
        elif ask is Ask.TAKE_FROM:
            self._trade(p, Material(int(self.before["product"])))
        elif ask is Ask.SALARY and action == actions.YES:
            self._spend(p, 2)

    def _spend(self, p: int, cost: int) -> None:
        """AS7: everything except builds is paid with flood money first."""
        self.money[p] -= cost
        self.flood[p] = max(self.flood[p] - cost, 0)

    def _gain(self, p: int, which: int, money: int, votes: int) -> None:
        if which == Pay.MONEY:
            self.money[p] += money
        else:
            self.votes[p] += votes

    def _build(self, p: int, action: int) -> None:
        """P2.4, P2.11, AS7, and who moves in (P2.6)."""
        site, kind = Site(self.before), Kind(int(self.before["kind"]))
        row, town = ROW_OF[kind], self.towns[p]
        cells = covered_by(self.before, action - actions.WAY)
        added = {x for x in cells if not town.tile_at(x)}
        if not site.free:
            self.money[p] -= site.price(kind, len(added))
            self.votes[p] -= row.votes
        self.votes[p] += row.gain
        if self.before["phase"] != Phase.SETUP:
            flooded = len([x for x in added if town.map[x] == "f"])
            self.money[p] += flooded
            self.flood[p] += flooded
        at_hall = [x for x in town.hall if town.people.get(x) == p]
        if kind is Kind.RESIDENTIAL_1 and at_hall and self.before["phase"] <= Phase.BUILD:
            town.worked |= cells

    def _advance(self, p: int, pay: int) -> None:
        """P7.2, P7.4."""
        row = int(self.before["council_row"])
        column = self.towns[p].council[row] + 1
        cost = int(ADVANCE_COST[column])
        if pay == Pay.MONEY:
            self._spend(p, cost)
        elif pay == Pay.VOTES:
            self.votes[p] -= cost
        if row == Row.FINANCE:
            self.money[p] += int(FINANCE[column])

    def _trade(self, p: int, material: Material) -> None:
        """P4.2: b for money, d for votes."""
        space = int(self.before["space"])
        shop = self.towns[int(self.before["asked_borough"])].tile_at(space)
        assert shop is not None and shop.label(space) in (B, D)
        if shop.label(space) == B:
            self.money[p] += int(TRADE_MONEY[material])
        else:
            self.votes[p] += int(TRADE_VOTES[material])

    # -- a move of Phase 3

    def _move(self, action: int) -> None:
        ask, p = int(self.before["ask"]), int(self.before["seat"])
        if ask == Ask.MOVE and action < actions.BUILD:
            self._walk(p, p, action)
        elif ask == Ask.MOVE and action == actions.NO and self.before["asked_borough"] != p:
            self._leave(p)  # home to City Hall: neither votes nor works
        elif ask == Ask.ABROAD:
            self._walk(p, int(self.before["destination"]), action)
        elif ask == Ask.HOME and action != actions.NO:
            self.towns[p].people[action] = p
            self.towns[p].worked.add(action)

    def _leave(self, p: int) -> int:
        """Take the citizen asked off his space; return his colour."""
        town, space = self.towns[int(self.before["asked_borough"])], int(self.before["space"])
        if space == town.tram:
            town.riders[p] -= 1
            return p
        town.worked.discard(space)
        return town.people.pop(space)

    def _walk(self, p: int, k: int, goal: int) -> None:
        colour = self._leave(p)
        if self.towns[k].kind_at(int(self.before["space"])) is Kind.MONASTERY and k == p:
            self._pilgrim_goes(goal)
        if goal == self.towns[k].tram:
            self.towns[k].riders[colour] += 1
        else:
            self.towns[k].people[goal] = colour
            self.towns[k].worked.add(goal)

    def _pilgrim_goes(self, goal: int) -> None:
        self.before = self.before.copy()
        self.before["pilgrim"] = goal + 1

    # -- phases passed

    def _same_round(self) -> bool:
        return bool(self.before["round_no"] == self.after["round_no"])

    def _passes(self, phase: Phase) -> bool:
        """Whether the answer led into, through or further along a phase of this round."""
        return bool(
            Phase.SETUP < self.before["phase"] <= phase
            and (not self._same_round() or self.after["phase"] >= phase)
        )

    def _visits(self) -> bool:
        """Whether the council has adjourned."""
        later = not self._same_round() or self.after["phase"] > Phase.COUNCIL
        return bool(self.before["phase"] == Phase.COUNCIL and later)

    def _round_ends(self) -> bool:
        """Whether Phase 8 is over."""
        done = not self._same_round() or self.after["phase"] == Phase.OVER
        return bool(self.before["phase"] >= Phase.COUNCIL and done)

    def _order(self) -> list[int]:
        """The seats in turn order."""
        n = len(self.towns)
        return [(int(self.before["host"]) + turn) % n for turn in range(n)]

    # -- who works for whom

    def _pilgrim(self, town: Town) -> set[int]:
        here = town.board is Board.ULAANBAATAR and self.before["pilgrim"] > 0
        return {int(self.before["pilgrim"]) - 1} if here else set()

    def _workers(self, p: int, town: Town) -> set[int]:
        """Where a player's people worked in a borough; a Pilgrim works for his host (AS9)."""
        own = {x for x, colour in town.people.items() if colour == p}
        guest = self._pilgrim(town) & set(town.people)
        mine = own | guest if town.seat == p else own - guest
        return mine & town.worked

    def _tram_guests(self, town: Town, colour: int) -> int:
        """How many Tourists of a colour ride a tram."""
        pilgrim = town.tram in self._pilgrim(town) and int(self.before["pilgrim_of"]) == colour
        return town.riders[colour] - pilgrim

    # -- Phases 3 D to 5

    def _income(self) -> None:
        order = self._order()
        if self.before["phase"] < Phase.INCOME:
            self._arrivals(order)
            self.smoke = [self._smoke(town) for town in self.towns]
            first = 0
        else:
            first = int(self.before["turn"]) + 1
        going_on = self._same_round() and self.after["phase"] == Phase.INCOME
        last = int(self.after["turn"]) if going_on else len(order) - 1
        for p in order[first : last + 1]:
            if p in self.in_game:
                self._collect(p)
        if not going_on:
            for p in self.in_game:
                self.votes[p] += self._ballots(p)

    def _arrivals(self, order: list[int]) -> None:
        """NB5: newcomers by tram, of the turns of Phase 3 that ended with this answer."""
        moving = self.before["phase"] == Phase.MOVE
        begun = int(self.before["turn"]) if moving else 0
        for p in order[begun:]:
            town = self.towns[p]
            if p in self.in_game and self.before["reserve"][p] > 0 and town.working(Kind.TRAMWAY):
                town.riders[p] += 1

    def _smoke(self, town: Town) -> int:
        """P6.1, AS2: spaces that produce, twice where the port doubles."""
        busy = {x for p in self.in_game for x in self._workers(p, town)}
        busy = {x for x in busy if town.place_at(x) is Place.FACTORY}
        port = {x for tile in town.working(Kind.PORT) for x in influence(tile.cells)}
        return len(busy) + len(busy & port)

    def _collect(self, p: int) -> None:
        """P4.1, P4.2, NB2, RB3."""
        self.money[p] += sum(self._fees(p, q) for q in range(len(self.towns)) if q != p)
        for town in self.towns:
            for space in self._workers(p, town):
                self._shop(p, town, space)
        opera = {tile.first for tile in self.towns[p].all_of(Kind.OPERA)}
        for space in self._workers(p, self.towns[p]) & opera:
            self.votes[p] += 3
            self._go_home(self.towns[p], space)

    def _fees(self, p: int, guest: int) -> int:
        """P4.1."""
        host = self.towns[p]
        spaces = self._workers(guest, host)
        museum = [x for x in spaces if host.kind_at(x) is Kind.MUSEUM]
        elsewhere = len(spaces) - len(museum) + self._tram_guests(host, guest)
        return elsewhere * TOURIST_FEE + len(museum) * MUSEUM_FEE

    def _shop(self, p: int, town: Town, space: int) -> None:
        tile = town.tile_at(space)
        assert tile is not None
        if tile.kind is Kind.BANK:
            self.money[p] += 2
        elif tile.card.family is Family.COMMERCIAL:
            self.money[p] += SHOP_MONEY * (tile.label(space) == A)
            self.votes[p] += SHOP_VOTES * (tile.label(space) == C)

    def _go_home(self, town: Town, space: int) -> None:
        """RB3: to the first free space of the largest residence that has one."""
        free = town.unusable | set(town.people)
        homes = [tile for tile in town.tiles if tile.card.family is Family.RESIDENTIAL]
        homes = [tile for tile in homes if tile.cells - free]
        if homes:
            best = max(homes, key=lambda tile: (tile.card.level, -tile.first))
            home = min(best.cells - free)
            if space in self._pilgrim(town):
                self._pilgrim_goes(home)
            town.people[home] = town.people.pop(space)
            town.worked = (town.worked - {space}) | {home}

    def _ballots(self, p: int) -> int:
        """P5.1, AC2, AC3, M4."""
        town = self.towns[p]
        n = 0
        for space in self._workers(p, town):
            tile = town.tile_at(space)
            assert tile is not None
            n += HOME_VOTES[tile.card.level] if tile.card.family is Family.RESIDENTIAL else 0
            n += UNIVERSITY_VOTES * (tile.kind is Kind.UNIVERSITY)
            n += 2 * (tile.kind is Kind.FACTORY_3 and town.card == Card.PHYSICIAN)
            n += 2 * (tile.kind is Kind.MUSEUM and town.card == Card.ARTIST)
        return n + self._speech(town)

    def _speech(self, town: Town) -> int:
        """M4: everybody on the six spaces on the Mayor's side."""
        if not town.mayor or not town.mayor <= town.hall:
            return 0
        away = influence(town.hall - town.mayor)
        behind = {x for x in influence(frozenset(town.mayor)) & away if self._beside(town, x)}
        audience = influence(frozenset(town.mayor)) - town.hall - behind
        people = [x for x in audience if x in town.people]
        riding = sum(town.riders) if town.tram in audience else 0
        return min(len(people) + riding, 6)

    @staticmethod
    def _beside(town: Town, space: int) -> bool:
        """Whether a space lies in line with the half of City Hall where the Mayor is not."""
        other = town.hall - town.mayor
        rows, cols = {x // 10 for x in other}, {x % 10 for x in other}
        return space // 10 in rows if len(rows) == 1 else space % 10 in cols

    # -- Phase 6

    def _measures(self) -> bool:
        """Whether pollution was measured with this answer."""
        phase = self.before["phase"]
        before = phase < Phase.POLLUTION or (phase == Phase.POLLUTION and self.before["part"] < DYING)
        dying = self.after["phase"] == Phase.POLLUTION and self.after["part"] == DYING
        later = not self._same_round() or self.after["phase"] > Phase.POLLUTION or dying
        return bool(phase > Phase.SETUP and before and later)

    def _measure(self) -> None:
        """P6.1, in the boroughs as they are when the godzillas have gone."""
        new_out = [town.seat for town in self.later if town.out and town.seat in self.in_game]
        walked = self.before["part"] == TRAMPLING and self.before["phase"] == Phase.POLLUTION
        if new_out and (walked or self.before["rules"]["godzillas"]):
            # Not recounted: the boroughs as measured are gone.
            self.pollution = [town.pollution for town in self.later]
            return
        measured = self.towns if new_out else self.later
        for p in self.in_game:
            self.pollution[p] += self._made(measured[p])

    def _made(self, town: Town) -> int:
        if town.board is Board.DELHI:
            return 0
        people = len([x for x in town.people if x not in town.hall]) + sum(town.riders)
        clean = self.towns[town.seat].card == Card.ENGINEER and not town.cleaned
        smoke = 0 if clean else self.smoke[town.seat]
        parks = [x for tile in town.tiles if tile.card.family is Family.PARK for x in tile.cells]
        usable = len([x for x in parks if x not in town.unusable])
        made = people + smoke + self._noise(town) - usable - self._recycled(town)
        return max(made, 0) + (5 if town.board is Board.TOKYO else 0)

    @staticmethod
    def _noise(town: Town) -> int:
        """NB1."""
        airports = town.working(Kind.AIRPORT_8) + town.working(Kind.AIRPORT_9)
        loud = {x for tile in airports for x in influence(tile.cells)}
        lived_in = (Family.RESIDENTIAL, Family.COMMERCIAL)
        return len([x for tile in town.tiles if tile.card.family in lived_in for x in tile.cells & loud])

    def _recycled(self, town: Town) -> int:
        """NB3."""
        mine = self._workers(town.seat, town)
        return 5 if any(town.kind_at(x) is Kind.RECYCLING for x in mine) else 0
