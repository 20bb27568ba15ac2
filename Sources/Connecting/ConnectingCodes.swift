package import PlugCore

/// The codes of connecting, as `plughost explain` lists them.
package enum ConnectingCodes {
    /// All of them.
    package static let all: [PlugError.Code] = PDATokenCodes.all + ConsentCodes.all + ConnectionCodes.all
}
