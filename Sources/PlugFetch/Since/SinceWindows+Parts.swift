import LosslessJSON
import PlugManifest

// Windows with more records than a service returns for one search: they are read in parts.
extension SinceWindows {
    /// The first half of a window, with everything needed to continue with the rest; `nil` if it is a single granule.
    func halved(_ window: SinceWindow) -> SinceWindow? {
        guard let start = position(window.from) else { return nil }
        guard let to = window.to.flatMap(position) else {
            // An open end without a clock: as much as one window.
            let first = self.window(from: start, nil, isFine: window.isFine)
            return first.to == nil ? nil : first
        }
        let end = window.next.flatMap(position) ?? self.end(to, isFine: window.isFine)
        let (length, overflows) = end.subtractingReportingOverflow(start)
        let unit = max(step, granule)
        let size = length / 2 - length / 2 % unit
        guard !overflows, size > 0 else { return nil }
        let whole = window.whole ?? SinceWindow.Whole(to: window.to, next: window.next)
        return part(from: start, size, of: whole, isFine: window.isFine)
    }

    /// The smallest step between two borders that the service understands.
    func smallest(_ type: Since.Kind) -> Since.Step {
        let unit = max(step, granule)
        return type == .integer ? .number(JSONNumber(unit)) : .duration(.microseconds(unit))
    }

    /// The part after a complete one, of the same length; `nil` after the last one of its window.
    func part(after window: SinceWindow) -> SinceWindow? {
        guard var whole = window.whole, let from = position(window.from), let next = window.next.flatMap(position),
            let to = window.to.flatMap(position), let last = whole.to.flatMap(position)
        else { return nil }
        let isFine = window.isFine || window.showsFine
        let start = window.showsFine ? to : next
        let end = whole.next.flatMap(position) ?? self.end(last, isFine: isFine)
        guard start < end else { return nil }
        whole.hasRecords = whole.hasRecords || window.hasRecords
        let (size, overflows) = next.subtractingReportingOverflow(from)
        return part(from: start, overflows ? 1 : max(1, size), of: whole, isFine: isFine)
    }

    private func part(from start: Int64, _ size: Int64, of whole: SinceWindow.Whole, isFine: Bool) -> SinceWindow {
        let (border, overflows) = start.addingReportingOverflow(size)
        let last = whole.to.flatMap(position) ?? .max
        let end = whole.next.flatMap(position) ?? self.end(last, isFine: isFine)
        var part: SinceWindow
        if overflows || border >= end {
            part = SinceWindow(from: value(start), to: whole.to, next: whole.next, isFine: isFine)
        } else {
            let to = bounds == .closed && !isFine ? border - granule : border
            part = SinceWindow(from: value(start), to: value(to), next: value(border), isFine: isFine)
        }
        part.whole = whole
        return part
    }

    /// The end of a window whose upper bound is the pass's own.
    private func end(_ to: Int64, isFine: Bool) -> Int64 {
        guard bounds == .closed, !isFine else { return to }
        let (end, overflows) = to.addingReportingOverflow(granule)
        return overflows ? to : end
    }
}
