import LosslessJSON
import PlugCore

extension ManifestBuilder {
    /// How a bound of `since` is sent.
    func bounds(
        _ since: CheckedMapping,
        _ key: String,
        _ type: Since.Kind?,
        _ request: Request?
    ) -> [Since.Bound] {
        guard let node = since[key], let keys = CheckedMapping(node, Tables.bound, at: since.location(key), findings),
            let entry = keys.kind(of: Tables.bound, findings)
        else { return [] }
        let place = Paging.Place(rawValue: entry.key) ?? .query
        if let request { checkPlace(place, of: request, prefix: "", at: entry.keyLocation) }
        return (entry.value.mapping ?? []).compactMap { entry in
            checkBody(of: request, takes: entry.key, in: place, at: entry.keyLocation)
            guard let type, isName(entry, in: place), let format = format(entry, type) else { return nil }
            return Since.Bound(place: place, name: entry.key, format: format)
        }
    }

    private func isName(_ entry: YAMLEntry, in place: Paging.Place) -> Bool {
        switch place {
        case .query, .form: return true
        case .header: return checkHeaderName(entry.key, at: entry.keyLocation)
        case .json, .variables:
            let names = entry.key.split(separator: ".", omittingEmptySubsequences: false)
            if !names.contains(""), names.count <= 16 { return true }
            let message = "'\(MessageText.shortened(entry.key))' is not a path to a member"
            let help = "write names with dots between them: filter.from"
            findings.error(.wrongValue, message, at: entry.keyLocation, help: help)
            return false
        }
    }

    private func format(_ entry: YAMLEntry, _ type: Since.Kind) -> SinceFormat? {
        if type == .integer || type == .opaque {
            return Shape.choice(SinceFormat.plainNames).check(entry.value, of: entry.key, findings) ? .plain : nil
        }
        let text = entry.value.scalar?.text ?? ""
        if let format = SinceFormat(time: text) { return format }
        sayTimePattern(text, at: entry.value, of: entry.key)
        return nil
    }

    /// Reports a text that is not a format for times.
    func sayTimePattern(_ text: String, at node: YAMLNode, of key: String) {
        guard text.contains("%") else {
            _ = Shape.choice(SinceFormat.timeNames).check(node, of: key, findings)
            return
        }
        do throws(StrftimePattern.UnknownDirective) {
            _ = try StrftimePattern(text)
            let message = "'\(MessageText.shortened(text))' contains no part of a time"
            findings.error(
                .badTimePattern,
                message,
                at: node.location,
                help: "write a pattern such as %Y-%m-%d %H:%M:%S"
            )
        } catch {
            let message = "'\(MessageText.shortened(error.text))' is unknown in a pattern for times"
            let help = "the directives are \(StrftimePattern.directives.joined(separator: " "))"
            findings.error(.badTimePattern, message, at: node.location, help: help)
        }
    }

    // MARK: - Windows

    /// How a pass is divided; `nil` if it is not, or if that is invalid.
    ///
    /// - Parameter templates: The scope of a template for its length.
    func window(
        _ since: CheckedMapping,
        _ templates: ProgramScope,
        _ type: Since.Kind?,
        _ send: [Since.Bound],
        _ until: [Since.Bound],
        _ request: Request?
    ) -> Since.Window? {
        guard let node = since["window"] else {
            for key in ["granule", "bounds", "align"] where since.isWritten(key) && !since.isWritten("window") {
                let help = "remove it, or write how long a window is: 'window: 30d'"
                findings.error(
                    .badWindow,
                    "'\(key)' is about windows, but there is no 'window'",
                    at: since.location(key),
                    help: help
                )
            }
            return nil
        }
        guard let type else { return nil }
        if type == .opaque {
            let help = "remove it: nobody knows how far apart opaque values are"
            findings.error(.badWindow, "opaque values cannot be divided into windows", at: node.location, help: help)
            return nil
        }
        checkWindow(since, type, request)
        for (key, bounds) in [("send", send), ("until", until)] where type != .integer {
            checkDay(of: bounds, since, key)
        }
        let length = lengthTemplate(node, templates, type)
        if isTemplate(node), type != .integer, length == nil { return nil }
        guard let width = length == nil ? step(node, "window", type) : .duration(.seconds(86_400)) else { return nil }
        var granule = Self.granule(type, until)
        if let written = since["granule"] {
            guard let step = step(written, "granule", type) else { return nil }
            granule = step
        }
        if width.size < granule.size {
            let message = "a window of \(Self.text(width)) is shorter than its granule, \(Self.text(granule))"
            let help = "write a longer window, or a granule that is the smallest step of the field"
            findings.error(.badWindow, message, at: node.location, help: help)
        }
        let usual: Since.Bounds = since.isWritten("granule") ? .closed : .halfOpen
        let bounds = since.text("bounds").flatMap(Since.Bounds.init(rawValue:)) ?? usual
        let shown = Self.shown(until)
        if bounds == .closed, let written = since["granule"], let shown, granule.size < shown.size {
            let message =
                "a granule of \(Self.text(granule)) is shorter than what 'until' writes, which is \(Self.text(shown)): records "
                + "between two windows would be missed"
            let help = "write 'granule: \(Self.text(shown))', or let 'until' write smaller steps"
            findings.error(.badWindow, message, at: written.location, help: help)
        }
        let align = align(since, length == nil ? width : .months(1))
        return Since.Window(width: width, length: length, granule: granule, shown: shown, bounds: bounds, align: align)
    }

    private func align(_ since: CheckedMapping, _ width: Since.Step) -> Since.Align {
        if since.isWritten("align"), case .duration = width {
            let help = "remove it: all other windows have the same length"
            findings.error(
                .badWindow,
                "'align' is for windows of months or years",
                at: since.location("align"),
                help: help
            )
        }
        return since.text("align").flatMap(Since.Align.init(rawValue:)) ?? .calendar
    }

    /// Windows are days or parts of days: a format without the day marks no boundary.
    private func checkDay(of bounds: [Since.Bound], _ since: CheckedMapping, _ key: String) {
        guard !bounds.isEmpty, !StrftimePattern.nameDay(bounds.map(\.format.directives)) else { return }
        let help = "write the day, too: \"%Y-%m-%d\""
        let message = "'\(key)' does not name the day, so that windows would have the same borders"
        findings.error(.badTimePattern, message, at: since.location(key), help: help)
    }

    /// The smallest step that a bound's parts show together; `nil` if they show all.
    private static func shown(_ bounds: [Since.Bound]) -> Since.Step? {
        let parts = bounds.map(\.format).filter { !StrftimePattern.nameDay([$0.directives]) }
        let whole = bounds.map(\.format).filter { StrftimePattern.nameDay([$0.directives]) }
        var steps = whole.compactMap(\.step)
        // A day and a time of day are one bound.
        if !parts.isEmpty {
            steps = [bounds.compactMap(\.format.step).min()].compactMap(\.self)
        }
        return steps.max().map { .duration($0) }
    }

    /// A window has to begin somewhere, and requests have to send its bounds.
    private func checkWindow(_ since: CheckedMapping, _ type: Since.Kind, _ request: Request?) {
        if !since.isWritten("from") {
            let help =
                "write 'from: \(type == .integer ? "\"0\"" : "\"2020-01-01\"")', or wherever the first pass begins"
            findings.error(
                .windowNeedsStart,
                "'window' needs 'from', where the first window begins",
                at: since.location("window"),
                help: help
            )
        }
        // An invalid request says nothing about windows.
        func isSent(_ key: String, _ root: String) -> Bool {
            since.isWritten(key) || request?.usedRoots.contains(root) ?? true
        }
        let place = since.location("window")
        if !isSent("send", "since") {
            let help = "write 'send: {query: {…}}', or use {{ since }} in 'request'"
            let message = "'window' without 'send': every request would ask for the same"
            findings.error(.windowNotSent, message, at: place, help: help)
        } else if !isSent("until", "until") {
            let help =
                "write 'until: {query: {…}}', or use {{ until }} in 'request', unless the lower bound names all of a window"
            let message =
                "'window' without 'until': right only if a request names a period, such as /days/2026-11-15"
            findings.warn(.windowNotSent, message, at: place, help: help)
        }
    }

    private func step(_ node: YAMLNode, _ key: String, _ type: Since.Kind) -> Since.Step? {
        if type == .integer {
            if let number = node.scalar?.number, number.int64.map({ $0 > 0 }) == true { return .number(number) }
            let message = "'\(key)' of an integer is a whole number above 0"
            findings.error(.badWindow, message, at: node.location, help: "write \(key == "window" ? "1000" : "1")")
            return nil
        }
        if key == "window", let months = Since.Step.months(node.scalar?.text ?? "") { return .months(months) }
        guard let duration = duration(node, microseconds: key == "granule") else { return nil }
        if duration > .zero, key == "window" || duration <= .seconds(86_400) { return .duration(duration) }
        let message = duration > .zero ? "a granule is at most a day" : "'\(key)' must be longer than zero"
        let help =
            key == "window"
            ? "write how long a window is: 30d or 1mo" : "write the smallest step of the field: 1s or 1d"
        findings.error(.badWindow, message, at: node.location, help: help)
        return nil
    }

    /// The smallest step that the type and the format of the bound can express.
    private static func granule(_ type: Since.Kind, _ until: [Since.Bound]) -> Since.Step {
        shown(until).flatMap { type == .integer ? nil : $0 } ?? type.step
    }

    /// The smallest step that the upper bound can show, and not less than the type's own.
    static func step(_ type: Since.Kind, _ until: [Since.Bound]) -> Since.Step {
        guard type.step != .number(JSONNumber(Int64(1))), let shown = shown(until) else { return type.step }
        return shown.size > type.step.size ? shown : type.step
    }

    private static func text(_ step: Since.Step) -> String {
        switch step {
        case .months(let months): months % 12 == 0 ? "\(months / 12)y" : "\(months)mo"
        case .duration(let duration): HumanDuration.text(duration)
        case .number(let number): number.text
        }
    }
}

extension Since.Kind {
    /// The smallest step between two values, as far as the type determines it.
    fileprivate var step: Since.Step {
        switch self {
        case .integer: .number(JSONNumber(Int64(1)))
        case .date: .duration(.seconds(86_400))
        case .epochMilliseconds: .duration(.milliseconds(1))
        case .time, .epoch, .opaque: .duration(.seconds(1))
        }
    }
}
