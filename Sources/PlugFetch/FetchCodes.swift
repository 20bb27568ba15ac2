package import PlugCore

/// The codes of errors and warnings while reading a source, as `plughost explain` lists them. Each file of codes lists its own.
package enum FetchCodes {
    /// All codes, errors and warnings.
    package static let all: [PlugError.Code] =
        RequestCodes.all + ExchangeCodes.all + WalkCodes.all + SinceCodes.all + TokenCodes.all + AccountCodes.all
        + ArchiveCodes.all + FetcherCodes.all
}
