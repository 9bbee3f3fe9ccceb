"""Write the table by which the simulated pinyin keyboard finds its candidates.

    python -m phone.builders.pinyin_table

Characters are those of GB 2312 and of the phone's own texts, words those that the phone's texts are made of
and general ones of two of their characters. Readings of words are those of CC-CEDICT, by pypinyin-dict, and
of pypinyin for words that it lacks, with a few of our own; how often something stands in the phone's texts
decides its place.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import distribution
from pathlib import Path

from babel.messages.pofile import read_po
from pypinyin import Style, lazy_pinyin, load_phrases_dict, pinyin
from pypinyin.constants import PHRASES_DICT

from simulated_phone.touch.pinyin import TABLE

CATALOGUE = Path(__file__).parents[1] / "simulated_phone" / "language" / "en.po"
LONGEST_PHRASE, LONGEST_WORD = 4, 8
"""Most characters of a general phrase, and of a whole text of the phone that counts as a word."""
OWN_WEIGHT = 20
"""How many phrases of the dictionary one use in the phone's own texts counts as."""

HEADER = """\
# Pinyin of characters and words, the usual ones first: syllables, a tab, characters or words.
# Made by phone/builders/pinyin_table.py. The readings of words are those of CC-CEDICT
# (https://www.mdbg.net/chinese/dictionary?page=cc-cedict, CC BY-SA 4.0, edited: readings, without tones),
# as pypinyin-dict has them, and otherwise those of pypinyin and of its data. The licence of both packages:
#
"""

OWN_READINGS = {
    "中的": "zhong de",
    "到了": "dao le",
    "弹出": "tan chu",
    "归还": "gui huan",
    "穿着": "chuan zhuo",
    "花都开": "hua dou kai",
    "还书": "huan shu",
    "还款": "huan kuan",
    "还车": "huan che",
    "重命名": "chong ming ming",
    "长按": "chang an",
}
"""Words that the dictionaries read otherwise, or lack, with the reading of everyday use."""
GENERAL_WORDS = frozenset(PHRASES_DICT)
"""Words of pypinyin, those of which some are in the table; CC-CEDICT has many more, most of them rare."""

_HAN = re.compile("[\u4e00-\u9fff]+")
_SYLLABLE = re.compile("[a-z]*[aeiouv][a-z]*")


def load_readings() -> None:
    """Let pypinyin read words as CC-CEDICT does, and some as our own list says."""
    from pypinyin_dict.phrase_pinyin_data import cc_cedict

    cc_cedict.load()
    load_phrases_dict({word: [[part] for part in said.split()] for word, said in OWN_READINGS.items()})


def read_own_texts() -> list[str]:
    """Return the runs of Chinese characters in the phone's texts."""
    with CATALOGUE.open("rb") as file:
        catalogue = read_po(file)
    ids = (
        message.id if isinstance(message.id, str) else message.id[0] for message in catalogue if message.id
    )
    return [run for text in ids for run in _HAN.findall(text)]


def list_standard_characters() -> Iterator[str]:
    """Yield the 6,763 characters of GB 2312, in its order."""
    for row in range(0xB0, 0xF8):
        for cell in range(0xA1, 0xFF):
            try:
                yield bytes((row, cell)).decode("gb2312")
            except UnicodeDecodeError:
                continue


def list_readings(character: str) -> list[str]:
    """Return the syllables of a character, the usual one first."""
    found = pinyin(character, style=Style.NORMAL, heteronym=True)[0]
    return [syllable for syllable in dict.fromkeys(found) if _SYLLABLE.fullmatch(syllable)]


def count_readings(texts: Sequence[str]) -> Counter[tuple[str, str]]:
    """Count, by character and syllable, how often it stands so in the phone's texts and in phrases."""
    weights: Counter[tuple[str, str]] = Counter()
    for run in texts:
        for pair in zip(run, lazy_pinyin(run), strict=True):
            weights[pair] += OWN_WEIGHT
    for phrase in GENERAL_WORDS:
        if _HAN.fullmatch(phrase):
            weights.update(zip(phrase, lazy_pinyin(phrase), strict=True))
    return weights


def group_characters(texts: Sequence[str]) -> dict[str, str]:
    """Return the characters of each syllable, the usual ones first."""
    weights, ranks = count_readings(texts), defaultdict(list)
    known = dict.fromkeys([*list_standard_characters(), *"".join(texts)])
    for number, character in enumerate(known):
        for place, syllable in enumerate(list_readings(character)):
            # a rare reading follows the usual ones of others
            ranks[syllable].append((-weights[character, syllable], place, number, character))
    return {syllable: "".join(one[-1] for one in sorted(found)) for syllable, found in sorted(ranks.items())}


def group_words(texts: Sequence[str]) -> dict[str, list[str]]:
    """Return the words by their syllables, which are joined by spaces, the usual ones first."""
    counts: Counter[str] = Counter()
    for run in texts:
        if 2 <= len(run) <= LONGEST_WORD:
            counts[run] += 1
        for start in range(len(run)):
            for end in range(start + 2, min(len(run), start + LONGEST_PHRASE) + 1):
                if run[start:end] in GENERAL_WORDS or run[start:end] in OWN_READINGS:
                    counts[run[start:end]] += 1
    weights = count_readings(texts)
    counts.update(dict.fromkeys(OWN_READINGS, 0))
    own = {character for run in texts for character in run}
    for phrase in sorted(GENERAL_WORDS):
        if len(phrase) == 2 and own.issuperset(phrase):
            counts[phrase] += 0
    found: Mapping[str, list[tuple[int, int, str]]] = defaultdict(list)
    for word, count in counts.items():
        parts = lazy_pinyin(word)
        usual = min(weights[pair] for pair in zip(word, parts, strict=True))
        found[" ".join(parts)].append((-count, -usual, word))
    return {key: [word for *_, word in sorted(words)] for key, words in sorted(found.items())}


def read_licence() -> list[str]:
    """Return the licence of the readings, as lines of a comment."""
    files = distribution("pypinyin").files or ()
    text = next(file for file in files if file.name.startswith("LICENSE")).read_text()
    return [f"# {line}".rstrip() for line in text.strip().splitlines()]


def make_table() -> str:
    """Return the text of the table."""
    load_readings()
    texts = read_own_texts()
    lines = [f"{syllable}\t{found}" for syllable, found in group_characters(texts).items()]
    lines += [f"{key}\t{' '.join(words)}" for key, words in group_words(texts).items()]
    return "\n".join([*HEADER.splitlines(), *read_licence(), *lines, ""])


if __name__ == "__main__":
    # without a time, so that equal tables are equal files
    Path(str(TABLE)).write_bytes(gzip.compress(make_table().encode(), 9, mtime=0))
