"""Name the server that judges are asked at, and what may be spent on it."""

from __future__ import annotations

from dataclasses import dataclass, field

from nlgauge.errors import SpecError


@dataclass
class Ledger:
    """A ledger adds up what a server was paid, and what requests under way may cost at most."""

    spent: float = 0.0
    reserved: float = 0.0


@dataclass(frozen=True, kw_only=True)
class JudgeServer:
    """A judge server is an OpenAI-compatible address, and how it is to be used.

    The key itself is never a part of this, only where it is to be read from. Nothing here can
    change a number; `most_unusable` decides whether there is one. The budget is that of all
    metrics and systems that are judged with this object together.
    """

    url: str  # up to the version, such as http://127.0.0.1:8000/v1
    key_env: str | None = None  # the environment variable that holds the key
    key_file: str | None = None  # the file that holds the key
    connections: int = 16  # requests that are under way at the same time
    timeout: float = 120.0  # seconds that one request may take
    retries: int = 8  # of one request, after errors of the server or of the network
    first_wait: float = 0.5  # seconds before the first of these; it doubles each time
    cache: str | None = None  # a folder that keeps replies, and from which a run goes on
    input_price: float | None = None  # of a million tokens
    output_price: float | None = None
    budget: float | None = None  # in the currency of the prices, or in tokens without prices
    most_unusable: float = 0.05  # share of segments that may be left without a verdict
    ledger: Ledger = field(default_factory=Ledger, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        from urllib.parse import urlsplit  # late: most runs ask no judge

        # A URL that holds a password is not shown in the message.
        parts = urlsplit(self.url)
        if parts.username or parts.password or parts.query or parts.fragment:
            raise SpecError(
                "judge url: has a user, a password, a query or a fragment; give the address alone, "
                "and the key by a file or an environment variable (--judge-key-env NAME)"
            )
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SpecError(
                f"judge url {self.url!r:.80}: expected an address such as http://127.0.0.1:8000/v1"
            )
        if self.key_env and self.key_file:
            raise SpecError("judge key: give an environment variable or a file, not both")
        if (self.input_price is None) != (self.output_price is None):
            raise SpecError("judge price: give both, of input and of output tokens")
        for name, low, high in (
            ("connections", 1, 1024), ("timeout", 0.001, 86_400), ("retries", 0, 100),
            ("first_wait", 0, 3600), ("input_price", 0, 1e9), ("output_price", 0, 1e9),
            ("budget", 0, 1e15), ("most_unusable", 0, 1),
        ):  # fmt: skip
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise SpecError(f"judge {name}={value!r:.40}: expected {low:g} to {high:g}")

    @property
    def address(self) -> str:
        """Return the address that questions are sent to."""
        return f"{self.url.rstrip('/')}/chat/completions"
