package import JQ
package import PlugCore

extension JQError {
    /// The error of the whole run if the program ended because its task was cancelled: it says nothing about the values that the
    /// program worked on.
    package var interruption: PlugError? { kind == .cancelled ? .interrupted : nil }
}
