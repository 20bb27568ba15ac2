import PlugCore
import PlugManifest

// How far a pass has proved that all is read.
extension Pass {
    /// Takes a move of the watermark back: the page that seemed to prove it did not.
    mutating func moveBack(to earlier: SinceValue?) { watermark = earlier }

    /// How far back from the start of a pass nothing is believed to be empty only because the clock says that it was there: a
    /// clock that is ahead would hide what comes until then.
    private static let doubt: Int64 = 4 * 86_400_000_000

    /// Moves the watermark to the end of a window that is complete, records or none: all before it is read.
    ///
    /// Only of times. A number beyond the greatest one that was seen may still be given to a record.
    mutating func proved(_ window: SinceWindow, _ sourceTime: Timestamp?) {
        guard let to = window.to, since?.type.isTime == true, !isDetached else { return }
        moveWatermark()
        var proved = SinceValue.earlier(to, .moment(Timestamp(microseconds: began - Self.doubt)))
        if let sourceTime { proved = SinceValue.earlier(proved, .moment(sourceTime)) }
        if lower.map({ $0.precedes(proved) }) ?? false { watermark = SinceValue.later(watermark, proved) }
    }

    /// Whether a pass from `lower` on joins on to what was read up to the watermark. Opaque values have no order.
    static func reaches(_ lower: SinceValue, _ watermark: SinceValue) -> Bool {
        if case .opaque = lower { return lower == watermark }
        return !watermark.precedes(lower)
    }

    /// What a watermark without a clock must not pass: what changed while the pass was read, on pages that had been read, has
    /// greater values than all that were there before.
    var bindingCeiling: SinceValue? {
        guard since?.type == .integer else { return nil }
        return ceiling ?? (isRising ? nil : firstMaximum)
    }

    /// Moves the watermark to the smaller of bound and maximum, and never back.
    mutating func moveWatermark() {
        guard let maximum, !isDetached else { return }
        let bound = isOrdered ? upper : upper ?? bindingCeiling
        let seen = SinceValue.earlier(maximum, bound)
        // What a source gives from beyond the window's end proves nothing of what lies between.
        watermark = SinceValue.later(watermark, SinceValue.earlier(seen, window?.to))
    }
}
