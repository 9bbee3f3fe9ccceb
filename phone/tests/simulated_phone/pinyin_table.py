"""Write the table by which the simulated pinyin keyboard finds its candidates.

    python -m phone.tests.simulated_phone.pinyin_table

Characters are those of GB 2312 and of the phone's own texts, words those that the phone's texts are made of
and general ones of two of their characters.
Readings are those of pypinyin; how often something stands in the phone's texts decides its place.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import distribution
from pathlib import Path

from babel.messages.pofile import read_po
from pypinyin import Style, lazy_pinyin, pinyin
from pypinyin.constants import PHRASES_DICT

from simulated_phone.touch.pinyin import TABLE

CATALOGUE = Path(__file__).parents[3] / "phone" / "simulated_phone" / "language" / "en.po"
LONGEST_PHRASE, LONGEST_WORD = 4, 8
"""Most characters of a general phrase, and of a whole text of the phone that counts as a word."""
OWN_WEIGHT = 20
"""How many phrases of the dictionary one use in the phone's own texts counts as."""

HEADER = """\
# Pinyin of characters and words, the usual ones first: syllables, a tab, characters or words.
# Made by phone/tests/simulated_phone/pinyin_table.py. The readings are those of pypinyin and of its data:
#
"""

_HAN = re.compile("[\u4e00-\u9fff]+")
_SYLLABLE = re.compile("[a-z]*[aeiouv][a-z]*")


def own_texts() -> list[str]:
    """The runs of Chinese characters in the phone's texts."""
    with CATALOGUE.open("rb") as file:
        catalogue = read_po(file)
    ids = (
        message.id if isinstance(message.id, str) else message.id[0] for message in catalogue if message.id
    )
    return [run for text in ids for run in _HAN.findall(text)]


def standard_characters() -> Iterator[str]:
    """The 6,763 characters of GB 2312, in its order."""
    for row in range(0xB0, 0xF8):
        for cell in range(0xA1, 0xFF):
            try:
                yield bytes((row, cell)).decode("gb2312")
            except UnicodeDecodeError:
                continue


def readings(character: str) -> list[str]:
    """The syllables of a character, the usual one first."""
    found = pinyin(character, style=Style.NORMAL, heteronym=True)[0]
    return [syllable for syllable in dict.fromkeys(found) if _SYLLABLE.fullmatch(syllable)]


def character_weights(texts: Sequence[str]) -> Counter[tuple[str, str]]:
    """(character, syllable) -> how often it stands so in the phone's texts and in general phrases."""
    weights: Counter[tuple[str, str]] = Counter()
    for run in texts:
        for pair in zip(run, lazy_pinyin(run), strict=True):
            weights[pair] += OWN_WEIGHT
    for phrase in PHRASES_DICT:
        if _HAN.fullmatch(phrase):
            weights.update(zip(phrase, lazy_pinyin(phrase), strict=True))
    return weights


def characters_by_syllable(texts: Sequence[str]) -> dict[str, str]:
    """Syllable -> its characters."""
    weights, ranks = character_weights(texts), defaultdict(list)
    known = dict.fromkeys([*standard_characters(), *"".join(texts)])
    for number, character in enumerate(known):
        for place, syllable in enumerate(readings(character)):
            # a rare reading follows the usual ones of others
            ranks[syllable].append((-weights[character, syllable], place, number, character))
    return {syllable: "".join(one[-1] for one in sorted(found)) for syllable, found in sorted(ranks.items())}


def words_by_syllables(texts: Sequence[str]) -> dict[str, list[str]]:
    """Syllables, joined by spaces -> its words."""
    counts: Counter[str] = Counter()
    for run in texts:
        if 2 <= len(run) <= LONGEST_WORD:
            counts[run] += 1
        for start in range(len(run)):
            for end in range(start + 2, min(len(run), start + LONGEST_PHRASE) + 1):
                if run[start:end] in PHRASES_DICT:
                    counts[run[start:end]] += 1
    weights = character_weights(texts)
    own = {character for run in texts for character in run}
    for phrase in PHRASES_DICT:
        if len(phrase) == 2 and own.issuperset(phrase):
            counts[phrase] += 0
    found: Mapping[str, list[tuple[int, int, str]]] = defaultdict(list)
    for word, count in counts.items():
        parts = lazy_pinyin(word)
        usual = min(weights[pair] for pair in zip(word, parts, strict=True))
        found[" ".join(parts)].append((-count, -usual, word))
    return {key: [word for *_, word in sorted(words)] for key, words in sorted(found.items())}


def licence() -> list[str]:
    """The licence of the readings, as lines of a comment."""
    files = distribution("pypinyin").files or ()
    text = next(file for file in files if file.name.startswith("LICENSE")).read_text()
    return [f"# {line}".rstrip() for line in text.strip().splitlines()]


def table() -> str:
    """The text of the table."""
    texts = own_texts()
    lines = [f"{syllable}\t{found}" for syllable, found in characters_by_syllable(texts).items()]
    lines += [f"{key}\t{' '.join(words)}" for key, words in words_by_syllables(texts).items()]
    return "\n".join([*HEADER.splitlines(), *licence(), *lines, ""])


if __name__ == "__main__":
    Path(str(TABLE)).write_text(table(), encoding="utf-8")
