/// Storage that a run leaves to the next one, for programs that run on one record after another.
///
/// For one run at a time; a run that finds it in use does without it.
package final class JQWorkspace {
    private var cells: Stack<Cell>?
    private var forks: Stack<Fork>?
    private var meter: Meter?
    private var frame: Frame?
    /// See `PathNode.outside`.
    let outside = PathNode.outside()
    /// When all runs together must have ended, by the clock of their limits; `nil` for never.
    private let end: Duration?

    /// An empty workspace.
    ///
    /// - Parameter end: When the time of all its runs together is over, by the clock of their limits. It is checked as often as
    ///   each run's own time.
    package init(until end: Duration? = nil) { self.end = end }

    func takeCells() -> Stack<Cell> { cells.take() ?? Stack() }
    func takeForks() -> Stack<Fork> { forks.take() ?? Stack() }

    func takeMeter(_ limits: JQLimits) -> Meter {
        guard let meter = meter.take() else { return Meter(limits, until: end) }
        meter.begin(limits)
        return meter
    }

    /// A program's own frame.
    func takeFrame(slots: Int) -> Frame {
        guard let frame = frame.take(), frame.slots.count == slots else { return Frame(slots: slots) }
        return frame
    }

    /// Takes back the storage of a run, emptied.
    func keep(
        _ cells: consuming Stack<Cell>,
        _ forks: consuming Stack<Fork>,
        _ meter: Meter,
        _ frame: consuming Frame
    ) {
        forks.drop(to: 0)
        cells.drop(to: 0)
        // Storage that one large record needed is not kept for all others.
        if cells.isSmall, forks.isSmall {
            self.cells = consume cells
            self.forks = consume forks
        }
        self.meter = meter
        // Only a program's own frame has none above it; closures may still hold it.
        if frame.parent == nil, frame.returnFrame == nil, isKnownUniquelyReferenced(&frame) {
            frame.slots.clear()
            self.frame = frame
        }
    }
}
