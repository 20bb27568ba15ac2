import PlugCore
import PlugManifest

// How far a pass has proved that everything is read.
extension Pass {
    /// Reverts a move of the watermark: the page that seemed to prove it did not.
    mutating func moveBack(to earlier: SinceValue?) { watermark = earlier }

    /// How far before the start of a pass the clock alone is not trusted to prove a window empty: a clock that is ahead would
    /// hide what comes until then.
    private static let doubt: Int64 = 4 * 86_400_000_000

    /// Moves the watermark to the end of a complete window, with or without records: all before it is read.
    ///
    /// Only for times. A number beyond the greatest one seen may still be assigned to a record.
    mutating func proved(_ window: SinceWindow, _ sourceTime: Timestamp?) {
        guard let to = window.to, since?.type.isTime == true, !isDetached else { return }
        moveWatermark()
        var proved = SinceValue.earlier(to, .moment(Timestamp(microseconds: began - Self.doubt)))
        if let sourceTime { proved = SinceValue.earlier(proved, .moment(sourceTime)) }
        if lower.map({ $0.precedes(proved) }) ?? false { watermark = SinceValue.later(watermark, proved) }
    }

    /// Whether a pass starting at `lower` joins on to what was read up to the watermark. Opaque values have no order.
    static func reaches(_ lower: SinceValue, _ watermark: SinceValue) -> Bool {
        if case .opaque = lower { return lower == watermark }
        return !watermark.precedes(lower)
    }

    /// The limit of a watermark without a clock: records changed during the pass, on pages already read, have greater values than
    /// all that were there before.
    var bindingCeiling: SinceValue? {
        guard since?.type == .integer else { return nil }
        return ceiling ?? (isRising ? nil : firstMaximum)
    }

    /// Moves the watermark to the smaller of bound and maximum, and never back.
    mutating func moveWatermark() {
        guard let maximum, !isDetached else { return }
        let bound = isOrdered ? upper : upper ?? bindingCeiling
        let seen = SinceValue.earlier(maximum, bound)
        // Records beyond the window's end prove nothing about what lies between.
        watermark = SinceValue.later(watermark, SinceValue.earlier(seen, window?.to))
    }
}
