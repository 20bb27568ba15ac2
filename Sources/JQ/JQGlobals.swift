package import LosslessJSON

/// The values of a program's globals, made once for any number of runs.
package struct JQGlobals: Sendable {
    let values: [Value]

    /// Values in the order in which the globals were declared; missing ones are `null`.
    package init(_ values: [JSONValue] = []) { self.values = values.map { Value($0) } }
}
