package import PlugCore

/// The codes of testing a plug, as `plughost explain` lists them. Each file of codes lists its own.
package enum TestCodes {
    /// All codes.
    package static let all: [PlugError.Code] = CaseCodes.all + ReplayCodes.all + CassetteCodes.all
}
