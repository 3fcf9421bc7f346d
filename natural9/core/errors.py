"""What a caller gets for a value that cannot be used: a code for programs, a sentence for people."""


class BadInput(ValueError):
    """A value that cannot be used. The message names the value, the situation and the way out."""

    def __init__(self, code: str, message: str, paragraph: str = "") -> None:
        super().__init__(f"{message} ({paragraph})" if paragraph else message)
        self.code = code
        self.message = message
        self.paragraph = paragraph
