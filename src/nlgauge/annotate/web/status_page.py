"""Draw the status of a study for its owner."""

from __future__ import annotations

from nlgauge.annotate.web.requests import Site


async def status_body(site: Site) -> str:
    """Return the status as HTML."""
    del site
    return ""
