package import PlugCore

/// The codes of testing a plug, as `plughost explain` lists them.
package enum TestCodes {
    /// All codes.
    package static let all: [PlugError.Code] = [
        .conformanceFailed, .fixtureAccount, .fixtureFails, .fixtureInvalid, .fixtureMisfit, .fixtureMismatch,
        .fixtureUnasked,
        .fixtureUnreadable,
        .goldenDiffers,
        .goldenInvalid, .goldenMissing, .goldenOrphan, .open(.goldenUnwritable), .inlineDiffers, .memberUnmet,
        .noTests, .replayServer, .streamUntested,
    ]
}
