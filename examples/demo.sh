#!/bin/sh
# Scores three systems on the example news data with several metrics and writes the results.
set -eu
cd "$(dirname "$0")/.."
mkdir -p demo-output

echo '$ nlgauge score examples/news/reference1.txt examples/news/reference2.txt \'
echo '      -i examples/news/north.txt examples/news/south.txt examples/news/coast.txt \'
echo '      -m bleu chrf++ ter --confidence --paired-bs'
nlgauge score examples/news/reference1.txt examples/news/reference2.txt \
    -i examples/news/north.txt examples/news/south.txt examples/news/coast.txt \
    -m bleu chrf++ ter --confidence --paired-bs

for format in json tsv markdown latex; do
    nlgauge score examples/news.jsonl -m bleu chrf++ ter --confidence \
        -f $format -o demo-output/scores.$format --segments demo-output/segments.jsonl
done
echo
echo "Written to demo-output/:"
ls -1 demo-output
