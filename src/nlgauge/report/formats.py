"""List the formats that results are written in.

The module imports nothing heavy, so that a command can name them without loading what writes them.
"""

from typing import Literal, get_args

OutputFormat = Literal["text", "json", "tsv", "markdown", "latex"]
FigureFormat = Literal["svg", "png", "pdf"]

OUTPUT_FORMATS: tuple[OutputFormat, ...] = get_args(OutputFormat)
FIGURE_FORMATS: tuple[FigureFormat, ...] = get_args(FigureFormat)
