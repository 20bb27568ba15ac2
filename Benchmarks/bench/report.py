"""The figures of a benchmark as lines, and whether all goals are met."""


class Report:
    """Lines of figures, and whether all goals are met."""

    def __init__(self):
        self.missed = False

    def line(self, name, text, good=None):
        self.missed = self.missed or good is False
        verdict = "" if good is None else "   goal met" if good else "   GOAL MISSED"
        print(f"{name:<46} {text:>18}{verdict}", flush=True)
