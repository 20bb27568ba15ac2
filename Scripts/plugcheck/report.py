"""What the checks found: mistakes, deviations that are allowed with a reason, and what could not be checked."""
import collections
import fnmatch

from .files import Unreadable, yaml_of


class Report:
    def __init__(self, allowed=()):
        self.mistakes, self.unchecked = [], collections.OrderedDict()
        self.counts = collections.Counter()
        self.allowed, self.used = list(allowed), set()

    def mistake(self, path, line, text):
        """A mistake, if no deviation allows it. Equal ones of one file are told once."""
        for number, one in enumerate(self.allowed):
            if fnmatch.fnmatch(path, one["file"]) and one["says"] in text:
                self.used.add(number)
                self.counts["allowed deviations"] += 1
                return
        found = (path, line, text)
        if found not in self.mistakes:
            self.mistakes.append(found)

    def skip(self, path, line, text):
        """Something that no description tells about."""
        self.unchecked.setdefault((path, line, text), None)

    def count(self, what, number=1):
        self.counts[what] += number

    def unused(self, folders, file):
        """Deviations that nothing needs any more, of the plugs that were read, are mistakes."""
        for number, one in enumerate(self.allowed):
            if number not in self.used and one["file"].split("/")[0] in folders:
                self.mistakes.append((file, 0, f"nothing needs the deviation of {one['file']} any more: {one['says']}"))


def deviations(path):
    """The deviations of a file: each names a file of a plug, what the message says, and a reason."""
    if not path.is_file():
        return []
    entries = yaml_of(path) or []
    for entry in entries:
        if not isinstance(entry, dict) or set(entry) != {"file", "says", "reason"} or not all(entry.values()):
            raise Unreadable(f"{path}: each deviation has 'file', 'says' and 'reason', unlike {entry}")
    return entries
