/// A configuration value with its origin.
package struct Setting<Value: Sendable & Equatable>: Sendable, Equatable {
    /// The value.
    package var value: Value
    /// The origin.
    package var origin: SettingOrigin

    /// A value with its origin.
    package init(_ value: Value, _ origin: SettingOrigin) {
        self.value = value
        self.origin = origin
    }
}

/// The source of a value in the configuration, in order of increasing precedence.
package enum SettingOrigin: Sendable, Equatable {
    /// The default.
    case `default`
    /// A line of a file.
    case file(String, line: Int)
    /// A variable of the environment.
    case variable(String)
    /// An option of the command line.
    case option(String)

    /// One word: `default`, `file`, `environment`, `option`.
    package var kind: String {
        switch self {
        case .default: "default"
        case .file: "file"
        case .variable: "environment"
        case .option: "option"
        }
    }

    /// `plughost.yaml:3`, `PLUGHOST_LISTEN`, `--listen`; `nil` for a default.
    package var place: String? {
        switch self {
        case .default: nil
        case .file(let path, let line): "\(path):\(line)"
        case .variable(let name), .option(let name): name
        }
    }
}
