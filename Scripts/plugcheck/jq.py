"""Reads jq programs into trees, so that the members they name can be looked up in a description.

A tree is a tuple: its kind, the offset in the program, and its parts. Only what manifests use is told apart; the programs
themselves are judged by `plughost validate`.
"""
import re

TOKEN = re.compile(r"""
    (?P<space>\s+|\#[^\n]*)
  | (?P<number>\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)
  | (?P<variable>\$[A-Za-z_]\w*)
  | (?P<field>\.[A-Za-z_]\w*)
  | (?P<format>@\w+)
  | (?P<word>[A-Za-z_]\w*(?:::\w+)*)
  | (?P<operator>\?//|\|=|//=|\+=|-=|\*=|/=|%=|==|!=|<=|>=|//|\.\.|[|,.\[\](){}:;=<>+\-*/%?"])
""", re.VERBOSE)
# From the loosest to the tightest; `|` and `,` are read by the parser itself.
BINARY = [("//",), ("=", "|=", "+=", "-=", "*=", "/=", "%=", "//="), ("or",), ("and",),
          ("==", "!=", "<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%")]
LIMIT = 100_000    # characters of a program


class Unreadable(Exception):
    """The program is not jq as it is read here."""


def parse(text):
    """The tree of a program."""
    if len(text) > LIMIT:
        raise Unreadable(f"the program is longer than {LIMIT} characters")
    parser = Parser(text)
    tree = parser.pipe()
    if parser.kind != "end":
        raise Unreadable(f"nothing can follow at offset {parser.at}: '{text[parser.at:parser.at + 20]}'")
    return tree


class Parser:
    """Reads one token ahead."""

    def __init__(self, text, start=0):
        self.text, self.next = text, start
        self.advance()

    def advance(self):
        while True:
            self.at = self.next
            if self.at >= len(self.text):
                self.kind, self.word = "end", ""
                return
            match = TOKEN.match(self.text, self.at)
            if not match:
                raise Unreadable(f"'{self.text[self.at]}' at offset {self.at} is no jq")
            self.next = match.end()
            if match.lastgroup != "space":
                self.kind, self.word = match.lastgroup, match.group()
                return

    def take(self, word):
        if self.word != word or self.kind not in ("operator", "word"):
            return False
        self.advance()
        return True

    def expect(self, word):
        if not self.take(word):
            raise Unreadable(f"'{word}' is expected at offset {self.at}, not '{self.word}'")

    def pipe(self):
        at = self.at
        if self.kind == "word" and self.word == "def":
            return self.definition()
        left = self.comma()
        if self.kind == "word" and self.word == "as":
            self.advance()
            names = self.pattern()
            self.expect("|")
            return ("bind", at, left, names, self.pipe())
        if self.take("|"):
            return ("pipe", at, left, self.pipe())
        return left

    def definition(self):
        at = self.at
        self.expect("def")
        name, parameters = self.word, []
        self.advance()
        if self.take("("):
            while True:
                parameters.append(self.word)
                self.advance()
                if not self.take(";"):
                    break
            self.expect(")")
        self.expect(":")
        body = self.pipe()
        self.expect(";")
        return ("def", at, name, parameters, body, self.pipe())

    def pattern(self):
        """The variables that a pattern binds, and whether it is more than one name."""
        if self.kind == "variable":
            name = self.word
            self.advance()
            return [name]
        names, depth = [], 0
        while True:
            if self.kind == "variable":
                names.append(self.word)
            depth += (self.word in ("[", "{")) - (self.word in ("]", "}"))
            if self.kind == "end":
                raise Unreadable("a pattern does not end")
            self.advance()
            if depth == 0:
                return ["", *names]

    def comma(self):
        at, left = self.at, self.binary(0)
        while self.take(","):
            left = ("comma", at, left, self.binary(0))
        return left

    def binary(self, level):
        if level == len(BINARY):
            return self.postfix()
        at, left = self.at, self.binary(level + 1)
        while self.kind in ("operator", "word") and self.word in BINARY[level]:
            operator = self.word
            self.advance()
            # '//' binds to the right; the result is the same where only members are looked up.
            left = ("binary", at, operator, left, self.binary(level + 1))
        return left

    def postfix(self):
        term = self.term()
        while True:
            at = self.at
            if self.kind == "field":
                term = ("member", at + 1, term, self.word[1:])
                self.advance()
            elif self.take("?"):
                term = ("try", at, term)
            elif self.word == "[" and self.kind == "operator":
                term = self.bracket(term)
            elif self.word == "." and self.kind == "operator":
                self.advance()
                if self.word == '"':
                    term = ("index", at, term, self.string())
                elif self.word != "[":
                    raise Unreadable(f"a name is missing after '.' at offset {at}")
            elif self.kind == "word" and self.word == "as":
                return term
            else:
                return term

    def bracket(self, term):
        at = self.at
        self.expect("[")
        if self.take("]"):
            return ("each", at, term)
        if self.take(":"):
            end = self.pipe()
            self.expect("]")
            return ("slice", at, term, end)
        key = self.pipe()
        if self.take(":"):
            if not self.take("]"):
                self.pipe()
                self.expect("]")
            return ("slice", at, term, key)
        self.expect("]")
        return ("index", at, term, key)

    def term(self):
        at, kind, word = self.at, self.kind, self.word
        if kind == "operator" and word == '"':
            return self.string()
        self.advance()
        if kind == "number":
            return ("number", at)
        if kind == "variable":
            return ("variable", at, word)
        if kind == "field":
            return ("member", at + 1, ("identity", at), word[1:])
        if kind == "format":
            return self.string() if self.word == '"' else ("call", at, word, [])
        if kind == "word":
            return self.named(at, word)
        if word == ".":
            return self.dotted(at)
        if word == "..":
            return ("call", at, "recurse", [])
        if word == "-":
            return self.postfix()
        if word == "(":
            inner = self.pipe()
            self.expect(")")
            return inner
        if word == "[":
            if self.take("]"):
                return ("array", at, None)
            inner = self.pipe()
            self.expect("]")
            return ("array", at, inner)
        if word == "{":
            return self.object(at)
        raise Unreadable(f"'{word}' at offset {at} begins nothing" if word else "the program ends too early")

    def dotted(self, at):
        if self.word == '"' and self.kind == "operator":
            return ("index", at, ("identity", at), self.string())
        return ("identity", at)

    def named(self, at, word):
        if word == "if":
            branches = []
            test = self.pipe()
            self.expect("then")
            branches.append((test, self.pipe()))
            while self.take("elif"):
                test = self.pipe()
                self.expect("then")
                branches.append((test, self.pipe()))
            otherwise = self.pipe() if self.take("else") else ("identity", at)
            self.expect("end")
            return ("if", at, branches, otherwise)
        if word == "try":
            body = self.postfix()
            return ("comma", at, ("try", at, body), self.postfix()) if self.take("catch") else ("try", at, body)
        if word in ("reduce", "foreach"):
            source = self.postfix()
            self.expect("as")
            names = self.pattern()
            self.expect("(")
            steps = [self.pipe()]
            while self.take(";"):
                steps.append(self.pipe())
            self.expect(")")
            return (word, at, source, names, steps)
        if word in ("null", "true", "false"):
            return (word, at)
        arguments = []
        if self.take("("):
            arguments.append(self.pipe())
            while self.take(";"):
                arguments.append(self.pipe())
            self.expect(")")
        return ("call", at, word, arguments)

    def object(self, at):
        entries = []
        while not self.take("}"):
            start, kind, word = self.at, self.kind, self.word
            if kind == "operator" and word == "(":
                self.advance()
                key = self.pipe()
                self.expect(")")
            elif kind == "operator" and word == '"':
                key = self.string()
            else:
                self.advance()
                key = ("text", start, word.removeprefix("$"))
            if self.take(":"):
                value = self.binary(0)
                while self.take("|"):
                    value = ("pipe", start, value, self.binary(0))
            elif kind == "variable":
                value = ("variable", start, word)
            else:
                value = ("index", start, ("identity", start), key)
            entries.append((key, value))
            if not self.take(","):
                self.expect("}")
                break
        return ("object", at, entries)

    def string(self):
        """A text, whose interpolations are programs."""
        at, index, plain, parts = self.at, self.at + 1, [], []
        while True:
            if index >= len(self.text):
                raise Unreadable(f"the text at offset {at} does not end")
            character = self.text[index]
            if character == '"':
                break
            if character == "\\" and self.text[index + 1:index + 2] == "(":
                inner = Parser(self.text, index + 2)
                parts.append(inner.pipe())
                if inner.word != ")":
                    raise Unreadable(f"the interpolation at offset {index} does not end")
                index = inner.at + 1
                continue
            plain.append(self.text[index:index + 2] if character == "\\" else character)
            index += 2 if character == "\\" else 1
        self.next = index + 1
        self.advance()
        return ("interpolation", at, parts) if parts else ("text", at, "".join(plain))
