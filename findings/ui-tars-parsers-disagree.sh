#!/usr/bin/env bash
# Packages: ui-tars 0.5.1 (PyPI) and @ui-tars/action-parser 1.2.3 (npm), both ByteDance's, for the same models.
# Needs python3 and node. Seen on 27 November 2026.
#
# Input: answers in the form of UI-TARS' mobile prompt, whose typed text ends in the two characters \n where the
# text is to be submitted.
#
# Behaviour:
# 1. type(content='hi\n'): the Python parser gives a line end, the JavaScript parser keeps a backslash and an n.
#    An agent with the second one types them into the field, and submits nothing.
# 2. click(point='<point>500 500</point>') on a screen of 1080x2400: both divide by the size of the resized
#    picture, 1092x2408; the Python parser returns shares of the screen as text, the JavaScript parser px as well.
# 3. A box of four numbers, start_box='[500,500,500,500]', as the first UI-TARS wrote them: the Python parser
#    raises ValueError, the JavaScript parser takes its centre.
#
# Output seen:
#   python 1 'hi\n' 1 line ends
#   python 2 [0.45787545787545786, 0.20764119601328904, 0.45787545787545786, 0.20764119601328904]
#   python 3 ValueError
#   node 1 "hi\\n" 0 line ends
#   node 2 [494.505,498.339]
#   node 3 [494.505,498.339]
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check ui-tars==0.5.1
npm install --silent --no-audit --no-fund --prefix "$work" @ui-tars/action-parser@1.2.3 >/dev/null
cat > "$work/seen.py" <<'PY'
from ui_tars.action_parser import parse_action_to_structure_output


def parse(action: str) -> dict[str, str]:
    parsed = parse_action_to_structure_output(
        f"Thought: t\nAction: {action}",
        factor=28,
        origin_resized_height=2400,
        origin_resized_width=1080,
        model_type="qwen25vl",
        max_pixels=16384 * 28 * 28,
        min_pixels=100 * 28 * 28,
    )
    return parsed[0]["action_inputs"]


typed = parse("type(content='hi\\n')")["content"]
print("python 1", repr(typed), typed.count("\n"), "line ends")
print("python 2", parse("click(point='<point>500 500</point>')")["start_box"])
try:
    print("python 3", parse("click(start_box='[500,500,500,500]')")["start_box"])
except ValueError as error:
    print("python 3", type(error).__name__)
PY
cat > "$work/seen.cjs" <<'JS'
const { actionParser } = require("@ui-tars/action-parser");
const parse = (action) =>
  actionParser({
    prediction: `Thought: t\nAction: ${action}`,
    factor: [1000, 1000],
    screenContext: { width: 1080, height: 2400 },
    modelVer: "1.5",
  }).parsed[0].action_inputs;
const typed = parse("type(content='hi\\n')").content;
console.log("node 1", JSON.stringify(typed), typed.split("\n").length - 1, "line ends");
console.log("node 2", JSON.stringify(parse("click(point='<point>500 500</point>')").start_coords));
console.log("node 3", JSON.stringify(parse("click(start_box='[500,500,500,500]')").start_coords));
JS
cd "$work"
got=$(venv/bin/python seen.py; node seen.cjs)
expected="python 1 'hi\\n' 1 line ends
python 2 [0.45787545787545786, 0.20764119601328904, 0.45787545787545786, 0.20764119601328904]
python 3 ValueError
node 1 \"hi\\\\n\" 0 line ends
node 2 [494.505,498.339]
node 3 [494.505,498.339]"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
