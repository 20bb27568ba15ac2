import LosslessJSON
import PlugCore
import PlugManifest

/// A range of a pass that is requested separately.
///
/// Both of its ends are in the state, so that narrowing an overfull window needs only another `to`.
struct SinceWindow: Sendable, Equatable {
    /// Where it begins.
    var from: SinceValue
    /// The upper bound that is sent; `nil` requests everything that follows.
    var to: SinceValue?
    /// Where the next window begins; `nil` in the last one.
    var next: SinceValue?
    /// Whether it has so far yielded records that are not older than it.
    var hasRecords = false
    /// Whether it shares its borders with its neighbours, because the service may compare more precisely than the manifest says.
    var isFine = false
    /// Whether it has yielded times between two granules, which proves that.
    var showsFine = false
    /// The window that it is a part of, if that was too full.
    var whole: Whole?
    /// Whether it is requested once more, because the answer did not show its list.
    var isSecondLook = false

    /// The end of a window that is read in parts.
    struct Whole: Sendable, Equatable {
        var to: SinceValue?
        var next: SinceValue?
        /// Whether a part of it has yielded records.
        var hasRecords = false
    }

    /// `{"from": …, "to": …, "next": …, "records": true, "fine": true, "shows": true, "again": true, "whole": {…}}`
    func json(_ type: Since.Kind) -> JSONValue {
        var object = JSONObject()
        object["from"] = from.json(type)
        object["to"] = to?.json(type)
        object["next"] = next?.json(type)
        if hasRecords { object["records"] = .bool(true) }
        if isFine { object["fine"] = .bool(true) }
        if showsFine { object["shows"] = .bool(true) }
        if isSecondLook { object["again"] = .bool(true) }
        if let whole {
            var end = JSONObject()
            end["to"] = whole.to?.json(type)
            end["next"] = whole.next?.json(type)
            if whole.hasRecords { end["records"] = .bool(true) }
            object["whole"] = .object(end)
        }
        return .object(object)
    }

    /// Reads what `json` wrote.
    init?(_ json: JSONValue, _ type: Since.Kind) {
        guard let from = json["from"].flatMap({ SinceValue($0, type) }) else { return nil }
        self.from = from
        to = json["to"].flatMap { SinceValue($0, type) }
        next = json["next"].flatMap { SinceValue($0, type) }
        hasRecords = json["records"]?.bool == true
        isFine = json["fine"]?.bool == true
        showsFine = json["shows"]?.bool == true
        isSecondLook = json["again"]?.bool == true
        whole = json["whole"].map { end in
            Whole(
                to: end["to"].flatMap { SinceValue($0, type) },
                next: end["next"].flatMap { SinceValue($0, type) },
                hasRecords: end["records"]?.bool == true
            )
        }
    }

    init(from: SinceValue, to: SinceValue?, next: SinceValue?, isFine: Bool = false) {
        self.from = from
        self.to = to
        self.next = next
        self.isFine = isFine
    }
}

/// Divides a pass into windows. Computes in microseconds, or in numbers for `integer`.
struct SinceWindows: Sendable {
    /// How many windows a run reads, and how many a pass over times may have.
    static let limit = 100_000

    let type: Since.Kind
    let bounds: Since.Bounds
    private let width: Int64
    /// How many calendar months a window has, if it is defined by them; then `width` is the minimum length.
    private let months: Int?
    private let align: Since.Align
    let granule: Int64
    /// All borders are multiples of this: the service accepts no others.
    let step: Int64
    /// How far a value may be after a window, because services compute days in time zones of their own.
    private let slack: Int64

    init(_ window: Since.Window, _ type: Since.Kind) {
        self.type = type
        (bounds, align) = (window.bounds, window.align)
        granule = max(1, window.granule.size)
        let shown = max(1, window.shown?.size ?? 1)
        step = bounds == .closed ? max(granule, shown) : shown
        // As long as the manifest says, or slightly longer.
        if case .months(let count) = window.width { months = max(1, count) } else { months = nil }
        let wanted = max(1, window.width.size)
        let (whole, overflows) = ((wanted - 1) / step + 1).multipliedReportingOverflow(by: step)
        width = overflows ? wanted : whole
        slack = type == .integer ? granule : max(granule, 86_400_000_000)
    }

    /// The first window of a pass.
    ///
    /// - Parameters:
    ///   - end: The pass's upper bound, `nil` without a clock.
    ///   - isFine: Whether windows share their borders whatever the manifest says.
    func first(from lower: SinceValue, end: SinceValue?, isFine: Bool = false) -> SinceWindow {
        guard let start = position(lower) else {
            // Out of range: all at once.
            return SinceWindow(from: lower, to: end, next: nil)
        }
        // Starting between two steps, each window would end between two as well. And between two granules there is nothing.
        let step = max(step, granule)
        let rest = ((start % step) + step) % step
        let (floor, overflows) = start.subtractingReportingOverflow(rest)
        return window(from: overflows ? start : floor, end, isFine: isFine)
    }

    /// The last window of a pass, to check whether there is anything at all.
    func last(from lower: SinceValue, end: SinceValue?) -> SinceWindow {
        guard let end, let start = position(lower), let last = position(end), last > start, last - start > width else {
            return SinceWindow(from: lower, to: end, next: nil)
        }
        return SinceWindow(from: value(last - width), to: end, next: nil)
    }

    /// The window after a complete one, `nil` after the last.
    func next(after window: SinceWindow, end: SinceValue?) -> SinceWindow? {
        if let part = part(after: window) { return part }
        guard let to = window.to, let next = window.next else { return nil }
        // Without a clock the greatest value is unknown: after a window without records everything that follows is requested.
        if end == nil, !window.hasRecords, window.whole?.hasRecords != true {
            return SinceWindow(from: next, to: nil, next: nil)
        }
        guard let start = position(window.showsFine ? to : next) else { return nil }
        return self.window(from: start, end, isFine: window.isFine || window.showsFine)
    }

    func window(from start: Int64, _ end: SinceValue?, isFine: Bool) -> SinceWindow {
        let from = value(start)
        let (border, overflows) = border(after: start)
        if let last = end.flatMap({ position($0) }) {
            let isClosed = bounds == .closed && !isFine
            if overflows || (isClosed ? border > last : border >= last) {
                return SinceWindow(from: from, to: value(max(start, last)), next: nil, isFine: isFine)
            }
        } else if overflows {
            return SinceWindow(from: from, to: nil, next: nil, isFine: isFine)
        }
        let to = bounds == .closed && !isFine ? border - granule : border
        return SinceWindow(from: from, to: value(to), next: value(border), isFine: isFine)
    }

    /// Where a window starting here ends. Calendar months are counted from the start of the month that it begins in.
    private func border(after start: Int64) -> (Int64, overflows: Bool) {
        guard let months else {
            let (border, overflows) = start.addingReportingOverflow(width)
            return (border, overflows)
        }
        let day: Int64 = 86_400_000_000
        var date = CivilDate(daysSinceEpoch: CivilDate.floored(start, day))
        let month: Int64 = date.year * 12 + date.month - 1 + Int64(months)
        date.year = CivilDate.floored(month, 12)
        date.month = month - date.year * 12 + 1
        let (begun, into) = (date.day, start - CivilDate.floored(start, day) * day)
        date.day = 1
        if align == .begin {
            // In a month without such a day, its last day is used.
            let first = date.daysSinceEpoch
            var following = date
            (following.year, following.month) = date.month == 12 ? (date.year + 1, 1) : (date.year, date.month + 1)
            date.day = min(begun, following.daysSinceEpoch - first)
        }
        let (midnight, isLate) = date.daysSinceEpoch.multipliedReportingOverflow(by: day)
        let (border, isLater) = midnight.addingReportingOverflow(align == .begin ? into : 0)
        let overflows = isLate || isLater
        // The service accepts no border between two steps.
        let rest = ((border % step) + step) % step
        return (border - rest > start ? border - rest : border, overflows)
    }

    /// The lower bound that is sent for a window: a service that excludes its lower bound gets one before it.
    func sent(_ window: SinceWindow) -> SinceValue {
        guard bounds == .open, let start = position(window.from) else { return window.from }
        let (before, overflows) = start.subtractingReportingOverflow(granule)
        return overflows ? window.from : value(before)
    }

    /// The upper bound that is sent for a window. A service that excludes its upper bound is asked in the last window for the
    /// next step the bound can express: with today, it would hold back today's records until tomorrow.
    func sentEnd(_ window: SinceWindow) -> SinceValue? {
        guard bounds == .open, type != .integer, window.next == nil, let to = window.to, let end = position(to) else {
            return window.to
        }
        let rest = ((end % step) + step) % step
        let (after, overflows) = end.addingReportingOverflow(step - rest)
        return overflows ? to : value(after)
    }

    /// Whether a value lies between two granules, with closed bounds: the service uses smaller steps than the manifest says. Days
    /// are exempt, because a service that is asked for days compares days.
    func isBetween(_ value: SinceValue) -> Bool {
        guard bounds == .closed, granule < 86_400_000_000, case .moment(let moment) = value else { return false }
        return moment.microseconds % granule != 0 || moment.fraction.dropFirst(6).contains { $0 != "0" }
    }

    /// Whether a value is so far after a window that the service cannot have compared it with the window's end.
    func isBeyond(_ value: SinceValue, _ window: SinceWindow) -> Bool {
        guard let at = position(value), let to = window.to.flatMap({ position($0) }) else { return false }
        let (highest, overflows) = to.addingReportingOverflow(slack)
        return !overflows && at > highest
    }

    /// How many windows a pass has; `nil` if unknown.
    func count(from lower: SinceValue, to end: SinceValue?) -> Int64? {
        guard let start = position(lower), let last = end.flatMap({ position($0) }) else { return nil }
        let (length, overflows) = last.subtractingReportingOverflow(start)
        return overflows ? .max : length <= 0 ? 1 : (length - 1) / width + 1
    }

    func position(_ value: SinceValue) -> Int64? {
        switch value {
        case .moment(let moment):
            let position = moment.microseconds
            return position == .min || position == .max ? nil : position
        case .number(let number): return number.int64
        case .opaque: return nil
        }
    }

    func value(_ position: Int64) -> SinceValue {
        type == .integer ? .number(JSONNumber(position)) : .moment(Timestamp(microseconds: position))
    }
}
