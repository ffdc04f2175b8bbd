r"""Split English as Stanford's PTBTokenizer does (CoreNLP 3.4.1, its default options).

The rules accept, character by character, what that program's automaton accepts; where it is odd
(`~` in a face, a range of characters in web addresses), so is this. It reads a file as one stream
and may look into the next line; a text is read here as if a line that starts with "A" followed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache

from nlgauge.text.tokenizers.lexer import Lexer, Names, Rule

_NEXT_LINE = "\nA "
# Letters and digits of the basic plane that were added after Unicode 6.2, which the program knows.
_LATER = """
37F 528-52F 560 588 5EF 860-89F 8A1 8AD-8FF 978 980 9FC AF9 C34 C5A-C5D C80 CDC-CDD D04 D54-D5F
DE6-DEF E86 E89 E8C E8E-E93 E98 EA0 EA8-EA9 EAC 13F5-13FD 16F1-16F8 170D 171F 1878 191D-191E
19B0-19C0 19C8-19C9 1B4C 1C80-1CBF 1CF2-1CF3 1CFA 2C2F 2C5F 312E-312F 31BB-31BF 4DB6-4DBF 9FCD-9FFF
A698-A69D A78F A794-A79F A7AB-A7F7 A8FD-A8FE A9E0-A9FE AA7E-AA7F AB30-ABBF 10000-10FFFF
"""
# Marks and signs that are parts of words.
_WORD_MARKS = """
AD 237-24F 2C2-2C5 2D2-2DF 2E5-37D 384-385 3CF 3F6 3FC-3FF 483-487 4CF 4F6-4FF 510-525 55A-55F
591-5BD 5BF 5C1-5C2 5C4-5C5 5C7 615-61A 63B-63F 64B-65E 670 6D6-6EF 6FA-6FF 70F 711 730-77F 7A6-7B1
7CA-7F5 7FA 900-903 93C 93E-94E 951-955 962-963 981-983 9BC-9C4 9C7-9C8 9CB-9CD 9D7 9E2-9E3 A01-A03
A3C A3E-A4F A81-A83 ABC-ACF B82 BBE-BC2 BC6-BC8 BCA-BCD C01-C03 C3E-C56 D3E-D44 D46-D48 E30-E3A
E47-E4E EB1-EBC EC8-ECD
"""
# Symbols that are words of their own.
_SYMBOLS = """
25-26 2B 5C 5E 7C 7E A6-A9 AC AE-BA D7 F7 387 5BE 5C0 5C3 5C6 5F3-5F4 600-603 606-60A 60C 614 61B
61E 66A 66D 703-70D 7F6-7F8 964-965 E4F 1FBD 2016-2017 2020-2023 2030-2038 203B 203E-2042 2044
207A-207F 208A-208E 2100-214F 2190-2BFF 3012 30FB FF01-FF0F FF1A-FF20 FF3B-FF40 FF5B-FF65
"""
# Words before whose capital a dot ends a sentence, even behind an abbreviation.
_STARTERS = """
About According Additionally After An A As At But Earlier He Her Here However If In It Last Many
More Mr\\. Ms\\. Now Once One Other Our She Since So Some Such That The Their Then There These They
This We When While What Yet You
"""
# Before a lower-case word; behind them, a capital starts a sentence.
_MONTHS_AND_DAYS = "Jan Feb Mar Apr Jun Jul Aug Sept? Oct Nov Dec Mon Tue Tues Wed Thu Thurs Fri"
_STATES = """
Ala Ariz [A]z [A]rk Calif Colo Conn Ct Dak [D]el Fla Ga [I]ll Ind Kans? Ky [L]a [M]ass Md Mich Minn
[M]iss Mo Mont Neb Nev Okla [O]re [P]a Penn Tenn [T]ex Va Vt [W]ash Wisc? Wyo
"""
_COMPANIES = """
Inc Cos? Corp Pp?t[ye]s? Ltd Plc Rt Bancorp Bhd Assn Univ Intl Sys tel est ext sq Jr Sr Bros
(Ed|Ph)\\.D Blvd Rd Esq etc al seq Bldg
"""
# Before a capital, which then starts no sentence.
_TITLES = """
Mr Mrs Ms [M]iss Drs? Profs? Sens? Reps? Attys? Lt Col Gen Messrs Govs? Adm Rev Maj Sgt Cpl Pvt Mt
Capt Ste? Ave Pres Lieut Hon Brig Co?mdr Pfc Spc Supts? Det Ft Adj Adv Asst Assoc Ens Insp Mlle Mme
Msgr Sfc vs Alex Wm Jos Cie a\\.k\\.a cf TREAS Ph Invt Elec Natl M[ft]g Dept
"""
_EXTENSIONS = """
bat bmp c class cgi cpp dll doc docx exe gif gz h html? jar java jpe?g mov mp3 pdf php pl png ppt ps
py sql tar txt wav x xml zip
"""


def _within(ranges: str) -> Callable[[str], bool]:
    parts = [part.partition("-") for part in ranges.split()]
    bounds = [(chr(int(low, 16)), chr(int(high or low, 16))) for low, _, high in parts]
    return lambda c: any(low <= c <= high for low, high in bounds)


def _one_of(words: str) -> str:
    return "(" + "|".join(words.split()) + ")"


def _names() -> Names:
    later = _within(_LATER)

    def letter(c: str) -> bool:
        return c in "\u1885\u1886" or (unicodedata.category(c)[0] == "L" and not later(c))

    def digit(c: str) -> bool:
        known = unicodedata.category(c) == "Nd" and not later(c)
        return known or "\u07c0" <= c <= "\u07c9"

    def capital(c: str) -> bool:
        return c.isupper() and not later(c) and not "\u13a0" <= c <= "\u13f5"

    return {
        "letter": letter,
        "digit": digit,
        "capital": capital,
        "mark": _within(_WORD_MARKS),
        "symbol": _within(_SYMBOLS),
        "any": lambda _: True,
        **_SPACES,
        **_WORDS,
        **_ABBREVIATIONS,
        **_ADDRESSES,
        **_NUMBERS,
    }


_SPACES = {
    "space": r"[ \t\u00A0\u2000-\u200A\u3000]",
    "newline": r"(\r|\r?\n|[\u2028\u2029\u000B\u000C\u0085])",
    "blank": "({space}|{newline})",
    "tag_name": r"[A-Za-z][A-Za-z0-9_:.\-]*",
    "tag_value": r"""[ ]*=[ ]*('[^']*'|"[^"]*")""",
    "tag": r"<([!?][A-Za-z\-][^>\r\n]*|{tag_name}([ ]+{tag_name}({tag_value})?)*[ ]*/?"
    r"|/{tag_name})[ ]*>",
}
_WORDS = {
    "apostrophe": r"(['\u0092\u2019]|&apos;)",
    "any_apostrophe": r"({apostrophe}|[`\u0091\u2018\u201B])",
    "word_letter": "([{letter}{mark}]|&[aeiouAEIOU](acute|grave|uml);)",
    "alnum": "[{letter}{digit}]",
    "run": "{word_letter}({word_letter}|{digit})*",
    "word": "{run}([.!?]{run})*",
    "clitic": "{apostrophe}([msdMSD]|re|ve|ll)",
    "before_not": r"[A-Za-z\u00AD]*[A-MO-Za-mo-z]\u00AD*",
    "not": "n{any_apostrophe}t",
    # Words with an apostrophe that stays.
    "whole": r"{apostrophe}n{apostrophe}?|[lLdDjJ]{apostrophe}|(Dunkin|somethin|ol){apostrophe}"
    r"|{apostrophe}(em|[2-9]0s|till?|cause)|[A-HJ-XZn]{any_apostrophe}{letter}{letter}+"
    r"|{letter}+[aeiouyAEIOUY]{any_apostrophe}[aeiouA-Z]{letter}*|O{any_apostrophe}o"
    r"|cont'd\.?|nor'easter|c'mon|e'er|s'mores|ev'ry|li'l|nat'l",
    "elided": "([dDoOlL]{any_apostrophe}{alnum})?{alnum}+",
    "hyphen": r"[\-_\u058A\u2010\u2011]",
    "joined": "{elided}({hyphen}{elided})*",
    "hyphenated": r"[A-Za-z0-9][A-Za-z0-9.,\u00AD]*(-([A-Za-z0-9\u00AD]+|{acronym}\.))+",
    "ampersand": "[A-Z]+(([+&]|&amp;)[A-Z]+)+",
    "slashed_part": r"[A-Za-z0-9]+(-[A-Za-z]+){0,2}",
    "slashed": r"{slashed_part}(\\?/{slashed_part}){1,2}",
    "treebank": r"-(L|R)(R|C|S)B-|C\.D\.s|pro-|anti-|S(&|&amp;)(P-500|Ls)|Cap{apostrophe}n"
    r"|c{apostrophe}est",
    "quote": r"{apostrophe}|''"
    r"|[`\u2018-\u201F\u0091-\u0094\u2039\u203A\u00AB\u00BB]{1,2}",
    "inner_mark": r"[,;:\u3001]",
    "face": r"[<>]?[:;=][\-o*']?[()DPdpO\\\{@|\[\]]",
    "eastern_face": r"[\^x=~<>]\.\[\^x=[^<]*<>\]|[\-\^x=~<>']_[\-\^x=~<>']"
    r"|\([\-\^x=~<>'][_.]?[\-\^x=~<>']\)|\([\^x=~<>']-[\^x=~<>'`]\)",
}
_ABBREVIATIONS = {
    "allies": r"((Canada|Sino|Korean|EU|Japan|non)-U\.S|U\.S\.-(U\.K|U\.S\.S\.R))",
    "acronym": r"([A-Za-z](\.[A-Za-z])+|{allies})",
    "initials": r"([A-Za-z]|{acronym})",
    "starter": f"({_one_of(' '.join(f'[{w[0]}]{w[1:]}' for w in _STARTERS.split()))}|{{tag}})",
    "closing": _one_of(_MONTHS_AND_DAYS + " " + _STATES + _COMPANIES) + r"\.",
    "opening": f"({_one_of(_TITLES)}|{{initials}})",
    "counted": r"(ca|figs?|prop|nos?|art|bldg|pp|op)\.",
    "file": "({word_letter}|{digit})+(\\.({word_letter}|{digit})+)*\\." + _one_of(_EXTENSIONS),
}
_ADDRESSES = {
    "url": r"https?://[^ \t\n\f\r\"<>|()\{\}]+[^ \t\n\f\r\"<>|.!?()\{\},\-]",
    "path": r"(/[^ \t\n\f\r\"<>|()]+[^ \t\n\f\r\"<>|.!?()\{\},\-])?",
    "site": r"(www\.([^ \t\n\f\r\"<>|.!?()\{\},]+\.)+[a-zA-Z]{2,4}"
    r"|([^ \t\n\f\r\"`'<>|.!?()\{\},-_$]+\.)+(com|net|org|edu)){path}",
    "email": r"(&lt;|<)?[a-zA-Z0-9][^ \t\n\f\r\"<>|()\u00A0\{\}]*"
    r"@([^ \t\n\f\r\"<>|().\u00A0\{\}]+\.)*[^ \t\n\f\r\"<>|().\u00A0\{\}]+(&gt;|>)?",
    "handle": "@[a-zA-Z_][a-zA-Z_0-9]*|#{word_letter}+",
}
_NUMBERS = {
    "date": r"{digit}{1,2}[\-/]{digit}{1,2}[\-/]{digit}{2,4}",
    "number": r"[\-+]?({digit}+|{digit}*([.:,\u00AD\u066B\u066C]{digit}+)+)",
    "raised": r"[\u207A\u207B\u208A\u208B]?"
    r"([\u2070\u00B9\u00B2\u00B3\u2074-\u2079]+|[\u2080-\u2089]+)",
    "fraction": r"({digit}{1,4}[\- \u00A0])?{digit}{1,4}(\\?/|\u2044){digit}{1,4}",
    "currency": r"[\u00A2-\u00A5\u0080\u20A0\u20AC\u060B\u0E3F\u20A4\uFFE0\uFFE1\uFFE5\uFFE6]",
    "gap": r"[\- \u00A0]",
    "phone": r"(\([0-9]{2,3}\)[ \u00A0]?|(\+\+?)?([0-9]{2,4}{gap})?[0-9]{2,4}{gap})"
    r"[0-9]{3,4}{gap}?[0-9]{3,5}"
    r"|((\+\+?)?[0-9]{2,4}\.)?[0-9]{2,4}\.[0-9]{3,4}\.[0-9]{3,5}",
}
_RULES = [
    Rule("keep", r"c\+\+|(c|f)#"),
    Rule("split3", "cannot|'twas"),
    Rule("split2", "'tis|gonna|gotta|lemme|gimme|wanna"),
    Rule("tie", "{tag}"),
    Rule("dash", r"&(MD|mdash|ndash);|[\u0096\u0097\u2013\u2014\u2015]"),
    Rule("unescape", "&amp;"),
    Rule("keep", "&(HT|TL|UR|LR|QC|QL|QR|odq|cdq|#[0-9]+);"),
    Rule("soft", "{word}", "{clitic}"),
    Rule("soft", "{before_not}", "{not}"),
    Rule("soft", "{word}"),
    Rule("keep", "{whole}"),
    Rule("keep", "y{apostrophe}", "{letter}"),
    Rule("keep", "{url}|{site}"),
    Rule("keep", "{email}|{handle}"),
    Rule("close", "{clitic}|{not}", "[^A-Za-z]"),
    Rule("keep", "{date}"),
    Rule("soft", "{number}"),
    Rule("keep", "{raised}"),
    Rule("tie", "{fraction}"),
    Rule("fraction", r"[\u00BC\u00BD\u00BE\u2153-\u215E]"),
    Rule("unescape", "{treebank}"),
    Rule("keep", "{slashed}"),
    Rule("keep", r"[A-Z]*$|#"),
    Rule("currency", "{currency}"),
    Rule("initials", r"{initials}\.", "{blank}+{starter}{blank}"),
    Rule("keep", "{counted}", "{blank}?{digit}"),
    Rule("keep", r"(pt[eyEY]|co)\.", "{space}(ltd|lim)"),
    Rule("twice", "{closing}", "{blank}({blank}|{capital}|{tag})"),
    Rule("keep", "{closing}", "{any}{any}"),
    Rule("twice", "{closing}"),
    Rule("keep", r"{opening}\."),
    Rule("keep", "{opening}", "{space}"),
    Rule("keep", "{initials}", "{blank}"),
    Rule("keep", "{apostrophe}[0-9][0-9]", "{blank}"),
    Rule("keep", "{file}", "{blank}|[.?!,]"),
    Rule("soft", r"{word}\.", "{inner_mark}"),
    Rule("phone", "{phone}"),
    Rule("open", '"|&quot;', "[A-Za-z0-9$]"),
    Rule("close", '"|&quot;'),
    Rule("skip", r"\u007F"),
    Rule("less", "<|&lt;"),
    Rule("more", ">|&gt;"),
    Rule("parentheses", "{face}", "[^A-Za-z0-9]"),
    Rule("parentheses", "{eastern_face}"),
    Rule("brackets", r"[()\[\]\{\}]"),
    Rule("hyphens", "-+"),
    Rule("ellipsis", r"\.{3,5}|(\.[ \u00A0]){2,4}\.|[\u0085\u2026]"),
    Rule("keep", r"@+|#+|_+|\*+|(\\\*){1,3}"),
    Rule("keep", "{inner_mark}|[?!]+"),
    Rule("keep", r"[.\u00A1\u00BF\u037E\u0589\u061F\u06D4\u0700-\u0702\u07FA\u3002=/]"),
    Rule("soft", r"{hyphenated}\.", "{inner_mark}"),
    Rule("soft", "{hyphenated}"),
    Rule("keep", r"{joined}\.", "{inner_mark}"),
    Rule("keep", "{joined}"),
    Rule("unescape", r"{ampersand}\.", "{inner_mark}"),
    Rule("unescape", "{ampersand}"),
    Rule("open", "'", r"[A-Za-z][^ \t\n\r\u00A0]"),
    Rule("close", "{clitic}|{not}"),
    Rule("close", "{quote}"),
    Rule("keep", "<<|>>|{symbol}"),
    Rule("skip", r"\u0000|{space}+|[\u200B\u200E-\u200F\uFEFF]|{newline}|&nbsp;"),
]
_FRACTIONS = {"\u00bc": "1/4", "\u00bd": "1/2", "\u00be": "3/4", "\u2153": "1/3", "\u2154": "2/3"}
_CURRENCIES = {"\u00a2": "cents", "\u00a3": "#", **dict.fromkeys("\u0080\u00a4\u20a0\u20ac", "$")}
_BRACKETS = dict(zip("()[]{}", "-LRB- -RRB- -LSB- -RSB- -LCB- -RCB-".split(), strict=True))
_QUOTES = {
    **dict.fromkeys("\u0091\u2018\u201b\u2039", "`"),
    **dict.fromkeys("\u0092\u2019\u203a", "'"),
    **dict.fromkeys("\u0093\u201c\u00ab", "``"),
    **dict.fromkeys("\u0094\u201d\u00bb", "''"),
}


def _soft(word: str) -> str:
    return word.replace("\u00ad", "") or "-"


def _quote(word: str, single: str) -> str:
    word = word.replace("&apos;", "'").replace("&quot;", '"')
    marks = str.maketrans({"'": single, '"': single * 2, **_QUOTES})
    return word.translate(marks)


def _tie(word: str) -> str:
    """Write blanks inside of a word as no-break spaces."""
    return word.replace(" ", "\u00a0")


def _parentheses(word: str) -> str:
    return word.replace("(", _BRACKETS["("]).replace(")", _BRACKETS[")"])


_REWRITE: dict[str, Callable[[str], str]] = {
    "keep": str,
    "soft": _soft,
    "unescape": lambda word: re.sub("(?i)&amp;", "&", word),
    "open": lambda word: _quote(word, "`"),
    "close": lambda word: _quote(word, "'"),
    "tie": _tie,
    "phone": lambda word: _parentheses(_tie(word)),
    "parentheses": _parentheses,
    "brackets": _BRACKETS.__getitem__,
    "fraction": lambda word: _FRACTIONS.get(word, word),
    "currency": lambda word: _CURRENCIES.get(word, word),
    "dash": lambda _: "--",
    "hyphens": lambda word: "--" if len(word) in (3, 4) else word,
    "ellipsis": lambda _: "...",
    "less": lambda _: "<",
    "more": lambda _: ">",
}


def ptb_words(text: str) -> list[str]:
    """Return the words of a text; characters that the program does not know are left out."""
    # Java's characters are the 16-bit units of UTF-16; none above U+FFFF is known to the program.
    size, at = len(text), 0
    stream = text + _NEXT_LINE
    lexer, found = _lexer(), []
    failed: set[tuple[int, int]] = set()
    while at < size:
        action, end = lexer.match(stream, at, failed)
        word, back = _written(action, stream[at:end])
        if word:
            found.append(word)
        at = end - back
    return found


def tokenise(text: str) -> str:
    """Return the words of a text, joined by blanks; a number may contain a no-break space."""
    return " ".join(ptb_words(text))


@cache
def _lexer() -> Lexer:
    return Lexer(_RULES, _names())


def _written(action: str, word: str) -> tuple[str, int]:
    """Return a match as it is written, and how many of its last characters are read again."""
    if action in ("", "skip"):
        return "", 0
    if action.startswith("split"):
        back = int(action[-1])
        return word[:-back], back
    if action == "initials":  # the dot of an initial ends the sentence; that of U.S. does both
        return (word[:-1] if len(word) == 2 else word), 1
    if action == "twice":
        return word, 1
    return _REWRITE[action](word), 0
