"""Print a script that completes commands, options and their values in a shell.

eval "$(nlgauge completion bash)"                                      # in ~/.bashrc
eval "$(nlgauge completion zsh)"                                       # in ~/.zshrc
nlgauge completion fish > ~/.config/fish/completions/nlgauge.fish
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

SHELLS = ("bash", "zsh", "fish")
# An option of one value has it behind it; one of several has them up to the next option.
_BASH = """\
_nlgauge() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" command="${{COMP_WORDS[1]}}" words="" option="" i
    for ((i = COMP_CWORD - 1; i > 0; i--)); do
        case "${{COMP_WORDS[i]}}" in -*) option="${{COMP_WORDS[i]}}"; break ;; esac
    done
    [ -z "$option" ] || [ "$i" -eq $((COMP_CWORD - 1)) ] || option="$option ..."
    case "$command" in {grouped})
        [ "$COMP_CWORD" -gt 2 ] && command="$command ${{COMP_WORDS[2]}}" ;;
    esac
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="{commands}"
    elif [[ "$word" == -* ]]; then
        case "$command" in
{options}
        esac
    else
        case "$command $option" in
{values}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _nlgauge nlgauge
"""


@dataclass
class _Command:
    """A command, with its options and the values that they, or its first argument, may have."""

    name: str  # also of a command's command, as in "annotate new"
    options: list[str] = field(default_factory=list)
    values: dict[tuple[str, ...], tuple[list[str], bool]] = field(default_factory=dict)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the one argument of `nlgauge completion`: the shell."""
    parser.add_argument("shell", choices=SHELLS, help="shell that reads the script")


def run(arguments: argparse.Namespace) -> None:
    """Print the script for a shell."""
    from nlgauge.cli import COMMANDS

    found = list(_commands())
    if arguments.shell == "fish":
        print("\n".join(_fish(found)))
        return
    indent = " " * 12
    script = _BASH.format(
        commands=" ".join([*COMMANDS, "help"]),
        grouped="|".join(dict.fromkeys(c.name.split()[0] for c in found if " " in c.name)),
        options="\n".join(f'{indent}"{c.name}") words="{" ".join(c.options)}" ;;' for c in found),
        values="\n".join(f"{indent}{line}" for command in found for line in _cases(command)),
    )
    start = "autoload -U +X bashcompinit && bashcompinit\n" if arguments.shell == "zsh" else ""
    print(start + script, end="")


def _cases(command: _Command) -> Iterator[str]:
    """Yield what bash proposes where a command's option, or its argument, takes known values."""
    for options, (values, several) in command.values.items():
        ends = [" ..."] if several else []
        known = [f'"{command.name} {name}{end}"' for name in options for end in ("", *ends)]
        yield f'{"|".join(known)}) words="{" ".join(values)}" ;;'


def _commands() -> Iterator[_Command]:
    """Yield every command with what may be written behind it."""
    from nlgauge.cli import COMMANDS, parser

    for name, made in _choices(parser(list(COMMANDS))).items():
        subs = _choices(made)
        yield _described(name, made, subs)
        for sub, inner in subs.items():
            yield _described(f"{name} {sub}", inner)
    yield _Command("help", [], {("",): (list(COMMANDS), False)})


def _choices(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    actions = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return next((action.choices for action in actions), {})


def _described(name: str, parser: argparse.ArgumentParser, subs: Iterable[str] = ()) -> _Command:
    command = _Command(name)
    if subs:
        command.values[("",)] = (list(subs), False)
    for action in parser._actions:
        command.options += action.option_strings
        values = [] if isinstance(action, argparse._SubParsersAction) else _values(action)
        if values:
            options = tuple(action.option_strings) or ("",)
            command.values[options] = (values, action.nargs in ("+", "*"))
    if name == "metrics":
        command.values[("",)] = (_metrics(), False)
    return command


def _values(action: argparse.Action) -> list[str]:
    """Return the values that an argument takes, as far as they are known by name."""
    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    if action.dest == "metrics":
        return _metrics()
    if action.dest == "tokenizer":
        from nlgauge.text.preparation import TOKENIZERS

        return list(TOKENIZERS)
    if action.dest == "extras":
        from nlgauge.run.doctor import EXTRAS

        return list(EXTRAS)
    if action.dest == "task":
        from nlgauge.core.facts.tasks import TASKS

        return list(TASKS)
    if action.dest == "lang":
        from nlgauge.text.languages import LANGUAGES

        return list(LANGUAGES)
    return []


def _metrics() -> list[str]:
    from nlgauge.core import registry

    known = [*registry.names(), *registry.PRESETS, *registry.ALIASES]
    return [*known, *registry.GROUPS, *registry.SETS]


def _fish(commands: Sequence[_Command]) -> list[str]:
    top = dict.fromkeys(command.name.split()[0] for command in commands)
    lines = [f"complete -c nlgauge -n __fish_use_subcommand -f -a '{' '.join(top)}'"]
    for command in commands:
        seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in command.name.split())
        start = f"complete -c nlgauge -n '{seen}'"
        of_option = {o: values for names, (values, _) in command.values.items() for o in names}
        for option in command.options:
            values = f" -x -a '{' '.join(of_option[option])}'" if option in of_option else ""
            kind = "-l" if option.startswith("--") else "-s" if len(option) == 2 else "-o"
            lines.append(f"{start} {kind} {option.lstrip('-')}{values}")
        if "" in of_option:
            lines.append(f"{start} -f -a '{' '.join(of_option[''])}'")
    return lines
