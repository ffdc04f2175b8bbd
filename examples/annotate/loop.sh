#!/bin/sh
# From a question to a better metric: a study, (simulated) annotators, agreement, correlations, a
# metric fitted to the judgements. Usage: sh examples/annotate/loop.sh FOLDER [gauge]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
mkdir -p "$out"

# Outputs that people shall judge, and a study about them.
nlgauge annotate new "$here/study.toml" "$here/../news.jsonl" -o "$out/study.db"

# Serve it on any free port, and send annotators their links.
nlgauge annotate serve "$out/study.db" --port 0 > "$out/serve.log" &
server=$!
trap 'kill $server' EXIT
until grep -qs serving "$out/serve.log"; do sleep 0.2; done
url=$(sed -n 's/.* on \(http[^;]*\);.*/\1/p' "$out/serve.log")
nlgauge annotate links "$out/study.db" --names ann ben cleo --url "$url" > "$out/links.tsv"
python "$here/annotators.py" "$out/links.tsv"

# How does it stand, do people agree, and which metric agrees with them?
nlgauge annotate status "$out/study.db" --report "$out/status.html" -f markdown -o "$out/status.md"
nlgauge agree "$out/study.db" -o "$out/agree.txt"

# A metric made of metrics: fitted to half of the items, measured on the other half.
head -n 30 "$here/../news.jsonl" > "$out/fit.jsonl"
tail -n 30 "$here/../news.jsonl" > "$out/held-out.jsonl"
nlgauge regress "$out/fit.jsonl" --judgements "$out/study.db" --criterion adequacy \
    -m chrf ter length --save "$out/mine.json" -o "$out/regress.txt"
nlgauge meta "$out/held-out.jsonl" --judgements "$out/study.db" --criterion adequacy --level segment \
    -m bleu chrf ter "regression(path=$out/mine.json)" -f json -o "$out/meta.json"
nlgauge meta "$out/held-out.jsonl" --judgements "$out/study.db" --criterion adequacy --level segment \
    -m bleu chrf ter "regression(path=$out/mine.json)"

# With an encoder (nlgauge fetch neural), a trained metric; its card has figures on held-out items.
if [ "${2:-}" = gauge ]; then
    nlgauge train gauge "$here/../news.jsonl" --judgements "$out/study.db" --criterion adequacy \
        --set inputs=shared -o "$out/gauge.safetensors" -f json > "$out/gauge.json"
    echo "gauge is fitted: $out/gauge.safetensors"
fi
