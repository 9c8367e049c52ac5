#!/usr/bin/env bash
# Measures what docs/benchmarks.md tells: findings.sh DIR [PUZZLES...]
# Puzzles are files of 9x9 puzzles, such as lists of hard ones; without any, those of puzzles/ are taken.
# It takes about half an hour. A run that was interrupted goes on where it stopped.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
out=${1:?name a folder for the results}
shift
nine=("$@")
[ ${#nine[@]} -gt 0 ] || nine=("$here"/puzzles/9x9_{easy,medium,hard,hardest}.txt)
mkdir -p "$out"

make() { # name, options...
  [ -e "$out/$1.txt" ] || satdoku bench make --balanced "${@:2}" -o "$out/$1.txt"
}

measure() { # name, options...: a status of 3 says that some searches were cut
  local name=$1
  shift
  echo "== $name"
  satdoku bench run -o "$out/$name.jsonl" "$@" >/dev/null
  local status=$?
  [ $status = 0 ] || [ $status = 3 ] || { echo "$name ended with status $status" >&2; exit $status; }
}

make sizes --size 9,16,25,36 --holes 0.35:0.6:0.05 -n 2 --seed 7
make many_holes_16 --size 16 --holes 0.6:0.75:0.05 -n 3 --seed 10
make many_holes_25 --size 25 --holes 0.5:0.6:0.05 -n 3 --seed 10
make encodings --size 16,25 --holes 0.45:0.6:0.05 -n 3 --seed 8
make rules --size 16,25 --holes 0.4 -n 5 --seed 9

measure nine -b native,glucose4,cadical153,minisat22,cpsat,backtrack,dlx,prune "${nine[@]}"
measure by_size -b native,glucose4,cadical153,minisat22,cpsat,backtrack,dlx,prune --work first "$out/sizes.txt"
measure many_holes -b native,glucose4,minisat22,cpsat --work first "$out"/many_holes_{16,25}.txt
measure warm -b glucose4,minisat22,cpsat,native,backtrack --warm "${nine[@]}" "$out/rules.txt"
measure cold -b glucose4,minisat22,cpsat,native,backtrack --cold "${nine[@]}" "$out/rules.txt"
measure by_encoding -b glucose4,cadical153 -e minimal,efficient,extended,triad,order,log --work first \
  "$out/encodings.txt" "${nine[@]}"

for name in nine by_size many_holes; do
  satdoku bench report --clock cpu "$out/$name.jsonl" -o "$out/$name"
done
satdoku bench report --clock cpu --baseline "glucose4 extended" "$out/by_encoding.jsonl" -o "$out/by_encoding"
satdoku bench report --clock cpu "$out/warm.jsonl" "$out/cold.jsonl" -o "$out/warm_and_cold"
