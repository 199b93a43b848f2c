"""Write the golden explanations of all games anew, or of the games that are named."""

import sys

from tests.golden import games, text_of, written

for game in sys.argv[1:] or games():
    text, file = text_of(game), written(game)
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    file.write_text(text, encoding="utf-8")
    print(f"{file.name}: {text.count(chr(10) + '== ')} lines of sight{'' if text == before else ', changed'}")
