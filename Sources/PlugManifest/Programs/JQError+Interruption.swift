package import JQ
package import PlugCore

extension JQError {
    /// The error of the whole run where the program ended because its task was cancelled: it says nothing of the values
    /// that the program worked on.
    package var interruption: PlugError? { kind == .cancelled ? .interrupted : nil }
}
