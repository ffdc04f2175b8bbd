"""Names and texts that would be markup or scripts if a page took them at their word."""

from nlgauge import Suite

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)><!--"


def evil_suite() -> Suite:
    hyps = {EVIL: [EVIL, "a b"], "b\u2028\x00": ["x", '"y" & z']}
    return Suite.build(hyps, [[EVIL], ["a c"]], ids=[EVIL, "2"], sources=[EVIL, "s"])
