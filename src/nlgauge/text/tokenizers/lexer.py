r"""Scan texts by rules: the longest match wins, and of equally long ones the first rule.

Patterns have the usual syntax: literals, which match in both cases, `\x` and `\u` with four
digits, classes `[a-z]`, which match as written, `(…)`, `|`, `*`, `+`, `?`, `{2,4}`, and `{NAME}`
for a named pattern; names may also stand for a set of characters, inside of classes too. The rules
become a deterministic automaton while texts are read: its states are made when they first occur,
and reading takes one step a character.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Contains = Callable[[str], bool]
Names = Mapping[str, str | Contains]

# Characters whose upper or lower case is an ASCII letter, beside the letter's own two cases.
_FOLDED = {"s": "\u017f", "k": "\u212a", "i": "\u0130\u0131"}
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "f": "\f"}


@dataclass(frozen=True)
class Characters:
    """A pattern that matches one character of a set; sets of the same `source` are the same."""

    source: str
    contains: Contains


@dataclass(frozen=True)
class Sequel:
    """A pattern that matches all of its parts, one after the other."""

    parts: tuple[Pattern, ...]


@dataclass(frozen=True)
class Choice:
    """A pattern that matches one of its parts."""

    parts: tuple[Pattern, ...]


@dataclass(frozen=True)
class Optional:
    """A pattern that matches its part or nothing; if `repeated`, also several times."""

    part: Pattern
    repeated: bool = False


Pattern = Characters | Sequel | Choice | Optional


class _Parser:
    def __init__(self, text: str, names: Names) -> None:
        self.text, self.at, self.names = text, 0, names

    def parse(self) -> Pattern:
        tree = self._choice()
        if self.at < len(self.text):
            raise ValueError(f"{self.text}: no pattern before {self.text[self.at :]}")
        return tree

    def _choice(self) -> Pattern:
        parts = [self._sequel()]
        while self._take("|"):
            parts.append(self._sequel())
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def _sequel(self) -> Pattern:
        parts: list[Pattern] = []
        while self._peek() not in ("", "|", ")"):
            parts.append(self._repeated(self._item()))
        return Sequel(tuple(parts))

    def _repeated(self, item: Pattern) -> Pattern:
        if self._take("*"):
            return Optional(item, repeated=True)
        if self._take("+"):
            return Sequel((item, Optional(item, repeated=True)))
        if self._take("?"):
            return Optional(item)
        if self._peek() == "{" and self.text[self.at + 1].isdigit():
            least, _, most = self._name().partition(",")
            spare = int(most or least) - int(least)
            return Sequel((item,) * int(least) + (Optional(item),) * spare)
        return item

    def _item(self) -> Pattern:
        start = self.at
        if self._take("("):
            inner = self._choice()
            self.at += 1
            return inner
        if self._peek() == "{":
            name = self._name()
            known = self.names[name]
            if isinstance(known, str):
                return _Parser(known, self.names).parse()
            return Characters(name, known)
        if self._take("["):
            contains = self._class()
            return Characters(self.text[start : self.at], contains)
        char = self._character().lower()
        members = frozenset(char + char.upper() + _FOLDED.get(char, ""))
        return Characters(char, members.__contains__)

    def _class(self) -> Contains:
        negated = self._take("^")
        chars: set[str] = set()
        named: list[Contains] = []
        while not self._take("]"):
            if self._peek() == "{":
                known = self.names[self._name()]
                assert callable(known)
                named.append(known)
                continue
            first = last = self._character()
            if self._take("-"):
                last = self._character()
            chars.update(map(chr, range(ord(first), ord(last) + 1)))
        return lambda c: (c in chars or any(test(c) for test in named)) != negated

    def _character(self) -> str:
        char, self.at = self._peek(), self.at + 1
        if char != "\\":
            return char
        char, self.at = self._peek(), self.at + 1
        if char != "u":
            return _ESCAPES.get(char, char)
        self.at += 4
        return chr(int(self.text[self.at - 4 : self.at], 16))

    def _name(self) -> str:
        start, self.at = self.at + 1, self.text.index("}", self.at) + 1
        return self.text[start : self.at - 1]

    def _take(self, char: str) -> bool:
        found = self._peek() == char
        self.at += found
        return found

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]


class _Places:
    """The places of a nondeterministic automaton, and the ways between them."""

    def __init__(self) -> None:
        self.sets: dict[str, int] = {}
        self.tests: list[Contains] = []
        self.arcs: list[list[tuple[int, int]]] = []  # of each place: a set and the next place
        self.free: list[list[int]] = []  # ways that need no character

    def new(self, behind: int | None = None) -> int:
        self.arcs.append([])
        self.free.append([])
        if behind is not None:
            self.free[behind].append(len(self.arcs) - 1)
        return len(self.arcs) - 1

    def add(self, pattern: Pattern, start: int) -> int:
        """Add the places of a pattern behind `start`; return the last one."""
        if isinstance(pattern, Sequel):
            for part in pattern.parts:
                start = self.add(part, start)
            return start
        if isinstance(pattern, Optional):
            inner = self.new(start)
            end = self.new(inner)
            self.free[self.add(pattern.part, inner)].append(inner if pattern.repeated else end)
            return end
        end = self.new()
        if isinstance(pattern, Choice):
            for part in pattern.parts:
                self.free[self.add(part, self.new(start))].append(end)
            return end
        number = self.sets.setdefault(pattern.source, len(self.tests))
        if number == len(self.tests):
            self.tests.append(pattern.contains)
        self.arcs[start].append((number, end))
        return end

    def reachable(self, places: set[int]) -> set[int]:
        found, waiting = set(places), list(places)
        while waiting:
            for place in self.free[waiting.pop()]:
                if place not in found:
                    found.add(place)
                    waiting.append(place)
        return found


class Automaton:
    """An automaton that finds what patterns match at the start of a text."""

    def __init__(self, patterns: Sequence[str], names: Names) -> None:
        self._nfa = _Places()
        self._ends: dict[int, int] = {}  # place: pattern
        start = self._nfa.new()
        for number, pattern in enumerate(patterns):
            tree = _Parser(pattern, names).parse()
            self._ends[self._nfa.add(tree, self._nfa.new(start))] = number
        self._kinds: dict[str, int] = {}  # characters of one kind are in the same sets
        self._kind_of: dict[frozenset[int], int] = {}
        self._sets_of: list[frozenset[int]] = []
        self._states: dict[frozenset[int], int] = {}
        self._places: list[frozenset[int]] = []
        self._next: list[dict[int, int]] = []
        self.accepts: list[int] = []  # of each state, the first pattern that matches, or -1
        self.start = self._state({start})

    def longest(self, text: str, at: int, failed: set[tuple[int, int]]) -> tuple[int, int]:
        """Return where the longest match from `at` on ends, and its first pattern, or -1.

        `failed` are the states and places of one text from which no match ends any more. They are
        added here, so that all matches of a text together take linear time.
        """
        state, end, found = self.start, at, -1
        since: list[tuple[int, int]] = []
        for place in range(at + 1, len(text) + 1):
            state = self.step(state, text[place - 1])
            if state < 0 or (state, place) in failed:
                break
            if self.accepts[state] >= 0:
                end, found = place, self.accepts[state]
                since.clear()
            else:
                since.append((state, place))
        failed.update(since)
        return end, found

    def ends(self, text: str, at: int, limit: int) -> list[int]:
        """Return every place up to `limit` where a match from `at` on ends."""
        state, found = self.start, []
        for end in range(at + 1, limit + 1):
            state = self.step(state, text[end - 1])
            if state < 0:
                break
            if self.accepts[state] >= 0:
                found.append(end)
        return found

    def step(self, state: int, char: str) -> int:
        """Return the state behind a character, or -1 if nothing can match any more."""
        kind = self._kinds.get(char)
        if kind is None:
            kind = self._kind(char)
        following = self._next[state].get(kind)
        if following is None:
            sets = self._sets_of[kind]
            places = {
                place
                for old in self._places[state]
                for number, place in self._nfa.arcs[old]
                if number in sets
            }
            following = self._next[state][kind] = self._state(places) if places else -1
        return following

    def _kind(self, char: str) -> int:
        sets = frozenset(i for i, contains in enumerate(self._nfa.tests) if contains(char))
        kind = self._kind_of.setdefault(sets, len(self._sets_of))
        if kind == len(self._sets_of):
            self._sets_of.append(sets)
        self._kinds[char] = kind
        return kind

    def _state(self, places: set[int]) -> int:
        found = self._nfa.reachable(places)
        kept = frozenset(p for p in found if self._nfa.arcs[p] or p in self._ends)
        state = self._states.setdefault(kept, len(self._places))
        if state == len(self._places):
            self._places.append(kept)
            self._next.append({})
            self.accepts.append(min((self._ends[p] for p in kept if p in self._ends), default=-1))
        return state


@dataclass(frozen=True)
class Rule:
    """A rule says what to match, what has to follow, and the name of what is done with a match."""

    action: str
    pattern: str
    context: str = ""  # has to follow; counts for the length of a match, but is no part of it


class Lexer:
    """A scanner that cuts texts into the matches of rules."""

    def __init__(self, rules: Sequence[Rule], names: Names) -> None:
        self.rules = rules
        self._all = Automaton([f"({r.pattern})({r.context})" for r in rules], names)
        self._parts = {
            i: (Automaton([rule.pattern], names), Automaton([rule.context], names))
            for i, rule in enumerate(rules)
            if rule.context
        }

    def match(self, text: str, at: int, failed: set[tuple[int, int]]) -> tuple[str, int]:
        """Return the action of the rule that matches there, and where its match ends."""
        end, number = self._all.longest(text, at, failed)
        if number < 0:
            return "", at + 1
        if number in self._parts:
            end = self._without_context(number, text, at, end)
        return self.rules[number].action, end

    def _without_context(self, number: int, text: str, at: int, end: int) -> int:
        """Return where the longest match ends whose context reaches to `end`."""
        pattern, context = self._parts[number]
        for middle in reversed(pattern.ends(text, at, end - 1)):
            if end in context.ends(text, middle, end):
                return middle
        raise AssertionError("a rule matches only where its parts do")
