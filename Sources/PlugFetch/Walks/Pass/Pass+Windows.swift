import PlugCore
import PlugManifest

// A pass divided into windows.
extension Pass {
    /// Restarts the window, because its position is no longer known.
    ///
    /// - Returns: `false` if the pass has no windows.
    mutating func restartWindow() -> Bool {
        guard window != nil else { return false }
        goBack(to: pager.restarted)
        isResuming = false
        return true
    }

    /// The last window of the pass; `nil` if it has none or this is the last.
    var lastWindow: SinceWindow? {
        guard let windows, let window, window.next != nil else { return nil }
        return windows.last(from: window.from, end: upper)
    }

    /// Looks at another window, to see whether there is anything.
    mutating func look(at other: SinceWindow) {
        goBack(to: pager.restarted)
        window = other
    }

    /// Begins a window at its first page.
    mutating func begin(_ next: SinceWindow) -> Outcome {
        window = next
        pager = pager.restarted
        tail = nil
        // Windows may share a border: the first record says nothing about the order.
        last = nil
        (resetBound, isFalling) = (nil, true)
        (firstMaximum, isRising) = (nil, true)
        (beyond.hasAny, beyond.hasInside) = (false, false)
        windowCount += 1
        guard windowCount < SinceWindows.limit else {
            windowCount = 0
            return .stuck(.windows)
        }
        return .nextWindow
    }
}
