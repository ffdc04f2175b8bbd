"""Show results as people and programs read them: tables, figures, pages and pictures."""

from typing import TYPE_CHECKING

from nlgauge.lazy import exports

if TYPE_CHECKING:
    from nlgauge.report import figures as figures
    from nlgauge.report.explain.explanation_html import write_pictures as write_pictures
    from nlgauge.report.pages.comparison_page import comparison_sections as comparison_sections
    from nlgauge.report.pages.folder import write_figures as write_figures
    from nlgauge.report.pages.meta_page import meta_sections as meta_sections
    from nlgauge.report.pages.page import Section as Section
    from nlgauge.report.pages.page import write_report as write_report
    from nlgauge.report.pages.score_page import score_sections as score_sections
    from nlgauge.report.pictures import picture as picture
    from nlgauge.report.tables.grid import Grid as Grid

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "nlgauge.report.explain.explanation_html": ["write_pictures"],
        "nlgauge.report.pages.comparison_page": ["comparison_sections"],
        "nlgauge.report.pages.folder": ["write_figures"],
        "nlgauge.report.pages.meta_page": ["meta_sections"],
        "nlgauge.report.pages.page": ["Section", "write_report"],
        "nlgauge.report.pages.score_page": ["score_sections"],
        "nlgauge.report.pictures": ["picture"],
        "nlgauge.report.tables.grid": ["Grid"],
    },
    packages=["figures"],
)
