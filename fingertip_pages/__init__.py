"""What all HTML pages of the project share: colours and sizes, base style, switches, texts, the font."""
