package import PlugCore

/// The codes of importing, as `plughost explain` lists them.
package enum ImportingCodes {
    /// All codes.
    package static let all: [PlugError.Code] = [.importUnreadable, .importComponent, .importNothing]
}

extension PlugError.Code {
    package static let importUnreadable = Self(
        "import-unreadable",
        exit: .data,
        "The file to import cannot be read: it is not YAML, is too large, or is not a declarative manifest.",
        "Name the file 'manifest.yaml' of a declarative connector."
    )

    package static let importComponent = Self(
        "import-component",
        exit: .data,
        "The manifest to import has a component that this version of plughost does not know, where nothing can be left out.",
        "Correct the name of the component, or write that part of the plug by hand."
    )

    package static let importNothing = Self(
        "import-nothing",
        exit: .data,
        "Nothing of the manifest can be carried over: each of its streams has a part without a counterpart. No plug was written.",
        "Read the reasons that are listed, and write the plug by hand, beginning with 'plughost init'."
    )
}
