#!/usr/bin/env bash
# Measures what README.md and docs/benchmarks.md tell: findings.sh DIR [PUZZLES...]
# Puzzles are files of 9x9 puzzles, such as lists of 17-clue ones; without any, those of puzzles/ are taken.
# BACKENDS names those that are compared by size. A run that was interrupted goes on where it stopped.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
out=${1:?name a folder for the results}
shift
nine=("$@")
[ ${#nine[@]} -gt 0 ] || nine=("$here"/puzzles/9x9_{easy,medium,hard,hardest}.txt)
backends=${BACKENDS:-glucose4,cadical153,minisat22,cpsat,backtrack}
mkdir -p "$out"

measure() { # name, options...: a status of 3 says that some searches were cut
  local name=$1
  shift
  echo "== $name"
  satdoku bench run -o "$out/$name.jsonl" "$@" >"$out/$name.txt"
  local status=$?
  [ $status = 0 ] || [ $status = 3 ] || { echo "$name ended with status $status" >&2; exit $status; }
}

[ -e "$out/sizes.txt" ] || satdoku bench make --size 9,16,25,36 --holes 0.45:0.6:0.05 --balanced -n 3 --seed 7 -o "$out/sizes.txt"
[ -e "$out/encodings.txt" ] || satdoku bench make --size 16,25 --holes 0.5:0.6:0.05 --balanced -n 5 --seed 8 -o "$out/encodings.txt"

measure nine -b "$backends" "${nine[@]}"
measure warm -b glucose4,minisat22,cpsat --warm "${nine[@]}" "$here/puzzles/16x16.txt" "$here/puzzles/25x25.txt"
measure cold -b glucose4,minisat22,cpsat --cold "${nine[@]}" "$here/puzzles/16x16.txt" "$here/puzzles/25x25.txt"
measure by_size -b "$backends" --skip --work first "$out/sizes.txt"
measure by_encoding -b glucose4,cadical153 -e minimal,efficient,extended,triad,order,log --work first "$out/encodings.txt" "${nine[@]}"

satdoku bench report "$out/nine.jsonl" -o "$out/nine"
satdoku bench report "$out/warm.jsonl" "$out/cold.jsonl" -o "$out/warm_and_cold"
satdoku bench report "$out/by_size.jsonl" -o "$out/by_size"
satdoku bench report "$out/by_encoding.jsonl" -o "$out/by_encoding" --baseline "glucose4 extended"
