import LosslessJSON
import PlugCore
import PlugManifest

// The part of a pass that a state keeps.
extension Pass {
    /// An interrupted pass; `nil` if the saved one no longer suits the manifest.
    init?(
        _ stream: PlugManifest.Stream,
        watermark: SinceValue?,
        resuming saved: JSONValue,
        goesBack: Bool,
        now: Int64
    ) {
        var tail = saved["tail"].flatMap { PageTail($0) }
        // With the end of the last page available, it shows whether pages have shifted, and how far.
        guard let pager = Pager(stream.paging, resuming: saved, goesBack: goesBack && tail == nil) else { return nil }
        since = stream.since
        self.watermark = watermark
        if let size = saved["size"]?.number?.int64, pager.paging?.size.map({ Int64($0) }) != size {
            // The manifest's page size has changed.
            if pager.isAtStart { tail = nil } else { tail?.isCut = true }
        }
        self.tail = tail
        isBroken = saved["broken"]?.bool == true && (!pager.isAtStart || saved["reset"] != nil)
        isDetached = saved["detached"]?.bool == true
        givenWords = saved["given"]?.stringText
        began = saved["began"]?.number?.int64 ?? now
        let type = stream.since?.type
        func value(_ name: String) -> SinceValue? {
            type.flatMap { type in saved[name].flatMap { SinceValue($0, type) } }
        }
        lower = value("lower")
        upper = value("upper")
        maximum = value("max")
        ceiling = type == .integer ? value("ceiling") ?? maximum : nil
        windows = Self.windows(stream.since)
        window = type.flatMap { type in saved["window"].flatMap { SinceWindow($0, type) } }
        // Windows were added or removed since: the query was a different one.
        guard (windows == nil) == (window == nil), windows != nil || saved["window"] == nil else { return nil }
        resetBound = value("reset")
        // On any page but the one right after it, it says nothing about the order.
        last = tail?.isCut == true ? nil : value("at")
        isFalling = saved["rose"]?.bool != true
        order = (Int(saved["rises"]?.number?.int64 ?? 0), Int(saved["falls"]?.number?.int64 ?? 0))
        isOrdered = stream.since?.order == .ascending && saved["unordered"]?.bool != true
        self.pager = pager
        isResuming = !pager.isAtStart
    }

    /// Whether this is the pass intended by a user who gives this bound.
    func isGiven(_ bound: GivenBound) -> Bool { bound.words.map { $0 == givenWords } ?? (lower == bound.value) }

    /// What a state keeps of it: enough to request the page at `place`.
    var json: JSONValue {
        var object = JSONObject()
        if let type = since?.type {
            object["lower"] = lower?.json(type)
            object["upper"] = upper?.json(type)
            object["max"] = maximum?.json(type)
            object["ceiling"] = bindingCeiling?.json(type)
            if since?.order == .ascending, !isOrdered { object["unordered"] = .bool(true) }
            object["given"] = givenWords.map { .text($0) }
            if isDetached { object["detached"] = .bool(true) }
            object["window"] = window?.json(type)
            if since?.stopsAtKnown == true, order != (0, 0) {
                object["rises"] = .integer(order.rises)
                object["falls"] = .integer(order.falls)
            }
            if since?.resetsPages == true, since?.order != Since.Order.none {
                object["reset"] = resetBound?.json(type)
                object["at"] = last?.json(type)
                if since?.order == .descending, !isFalling { object["rose"] = .bool(true) }
            }
        }
        object["tail"] = tail?.json
        if isBroken { object["broken"] = .bool(true) }
        object["began"] = .integer(Int(began))
        for member in pager.members { object[member.key] = member.value }
        return .object(object)
    }

    /// For a page already read, when continuing in the middle of it: records changed on its first half since then have greater
    /// values than all seen so far, and the next pass has to request them.
    ///
    /// - Parameter mark: Leads back to the page.
    func again(_ mark: JSONValue) -> JSONValue {
        guard let type = since?.type, var object = mark.object else { return mark }
        switch type {
        case .integer: object["ceiling"] = object["ceiling"] ?? maximum?.json(type)
        case .opaque: object["max"] = object["max"] ?? maximum?.json(type)
        default: break
        }
        return .object(object)
    }

    /// The watermark in its stored form.
    var watermarkJSON: JSONValue? { since.flatMap { since in watermark?.json(since.type) } }
}
