#!/usr/bin/env bash
# Package: gymnasium 1.4.0 (PyPI), Python 3.11. Seen on 27 November 2026.
#
# Input: an installed package whose pyproject.toml states an entry point of the group "gymnasium.envs", the way
# in which gym 0.26 and gymnasium 0.x found environments of other packages.
#
# Behaviour:
# 1. `gymnasium.make("plain/Still-v0")` raises NamespaceNotFound: no entry point is looked at. A worker process
#    that imports only gymnasium, as a vector of environments starts them, cannot make the environment.
# 2. `gymnasium.make("plain_envs:plain/Still-v0")` imports the module before the colon, which registers it.
#
# Output seen:
#   1 NamespaceNotFound
#   2 Still-v0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
mkdir -p "$work/package/plain_envs"
cat > "$work/package/pyproject.toml" <<'TOML'
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "plain-envs"
version = "1"

[project.entry-points."gymnasium.envs"]
plain = "plain_envs:register"

[tool.setuptools]
packages = ["plain_envs"]
TOML
cat > "$work/package/plain_envs/__init__.py" <<'PY'
import gymnasium


class Still(gymnasium.Env):
    observation_space = gymnasium.spaces.Discrete(1)
    action_space = gymnasium.spaces.Discrete(1)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return 0, {}

    def step(self, action):
        return 0, 0.0, True, False, {}


def register():
    gymnasium.register("plain/Still-v0", entry_point=Still)


register()
PY
"$work/venv/bin/pip" install --quiet --disable-pip-version-check gymnasium==1.4.0 "$work/package"
cat > "$work/seen.py" <<'PY'
import gymnasium

try:
    gymnasium.make("plain/Still-v0")
    print(1, "made")
except gymnasium.error.Error as error:
    print(1, type(error).__name__)
print(2, gymnasium.make("plain_envs:plain/Still-v0").spec.id.rpartition("/")[2])
PY
cd "$work"
got=$("$work/venv/bin/python" seen.py 2> /dev/null)
expected="1 NamespaceNotFound
2 Still-v0"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
