"""Print a script that completes commands, options and metrics in a shell.

eval "$(nlgauge completion bash)"                                      # in ~/.bashrc
eval "$(nlgauge completion zsh)"                                       # in ~/.zshrc
nlgauge completion fish > ~/.config/fish/completions/nlgauge.fish
"""

from __future__ import annotations

import argparse

SHELLS = ("bash", "zsh", "fish")
_BASH = """\
_nlgauge() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" words="" option="" i
    for ((i = COMP_CWORD - 1; i > 0; i--)); do
        case "${{COMP_WORDS[i]}}" in -*) option="${{COMP_WORDS[i]}}"; break ;; esac
    done
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="{commands}"
    elif [[ "$word" == -* ]]; then
        case "${{COMP_WORDS[1]}}" in
{options}
        esac
    elif [ "$option" = -m ] || [ "$option" = --metrics ]; then
        words="{metrics}"
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _nlgauge nlgauge
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the one argument of `nlgauge completion`: the shell."""
    parser.add_argument("shell", choices=SHELLS, help="shell that reads the script")


def run(arguments: argparse.Namespace) -> None:
    """Print the script for a shell."""
    from nlgauge.core import registry

    options = _options()
    metrics = [*registry.names(), *registry.PRESETS, *registry.GROUPS, *registry.SETS]
    if arguments.shell == "fish":
        print("\n".join(_fish(options, metrics)))
        return
    lines = (f'            {name}) words="{" ".join(o)}" ;;' for name, o in options.items())
    script = _BASH.format(
        commands=" ".join(options), options="\n".join(lines), metrics=" ".join(metrics)
    )
    start = "autoload -U +X bashcompinit && bashcompinit\n" if arguments.shell == "zsh" else ""
    print(start + script, end="")


def _options() -> dict[str, list[str]]:
    """Return the options of every command."""
    from nlgauge.cli import COMMANDS, parser

    top = parser(list(COMMANDS))
    (commands,) = (a for a in top._actions if isinstance(a, argparse._SubParsersAction))
    return {
        name: [option for action in made._actions for option in action.option_strings]
        for name, made in commands.choices.items()
    }


def _fish(options: dict[str, list[str]], metrics: list[str]) -> list[str]:
    lines = [f"complete -c nlgauge -n __fish_use_subcommand -f -a '{' '.join(options)}'"]
    for name, known in options.items():
        seen = f"complete -c nlgauge -n '__fish_seen_subcommand_from {name}'"
        for option in known:
            if option.startswith("--"):
                values = f" -x -a '{' '.join(metrics)}'" if option == "--metrics" else ""
                lines.append(f"{seen} -l {option[2:]}{values}")
            else:
                lines.append(f"{seen} {'-s' if len(option) == 2 else '-o'} {option[1:]}")
    return lines
