import PlugCore
import PlugManifest

// The results of processing a page.
extension Pass {
    /// The result of processing a page.
    enum Outcome: Sendable, Equatable {
        /// There is another page.
        case goesOn
        /// The window is complete, and there is another one.
        case nextWindow
        /// The pass is complete, and the watermark has moved.
        case complete
        /// The pass cannot continue, and its watermark stays.
        case stuck(PagingFault)
        /// All pages were read, and they have fewer records than the source reported: the watermark stays.
        case short(total: Int)
        /// The pages ended earlier than the source said: the watermark stays.
        case fewPages(count: Int, read: Int)
        /// All pages were read, and there may be a gap between two of them: the watermark stays, and the next pass reads from
        /// there again.
        case broken
    }
}
