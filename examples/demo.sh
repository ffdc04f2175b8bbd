#!/bin/sh
# Walks the whole loop on the example data: score, compare, measure the metrics, explain, report.
set -eu
cd "$(dirname "$0")/.."
mkdir -p demo-output
refs="examples/news/reference1.txt examples/news/reference2.txt"
systems="north=examples/news/north.txt south=examples/news/south.txt coast=examples/news/coast.txt"

step() { # a heading, then the command, which is shown and run
    printf '\n%s\n' "$1"
    shift
    printf '$ nlgauge'
    printf ' %s' "$@"
    printf '\n'
    nlgauge "$@"
}

# shellcheck disable=SC2086  # lists of files
step 'How good are three systems?' \
    score $refs -i $systems -m bleu chrf++ ter --confidence --paired-bs
# shellcheck disable=SC2086
step 'Are the differences real? The page tells it in words.' \
    compare $refs -i $systems -m bleu chrf++ ter --report demo-output/report.html -f markdown -o demo-output/compare.md
step 'Do the metrics agree with people?' \
    meta examples/judged.jsonl -m chrf sentbleu ter --report demo-output/meta.html
step 'Why did a segment get its score?' \
    explain examples/news.jsonl -n news-013 --system coast -m ter --html demo-output/explain.html

for format in json tsv latex; do
    nlgauge score examples/news.jsonl -m bleu chrf++ ter --confidence \
        -f $format -o demo-output/scores.$format --segments demo-output/segments.jsonl
done
echo
echo "Written to demo-output/ (open report.html first):"
ls -1 demo-output
