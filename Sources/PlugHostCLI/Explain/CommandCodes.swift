internal import PlugCore

/// The codes of commands, by topic.
enum CommandCodes {
    /// Commands, their options and their files.
    static let commands: [PlugError.Code] = [
        .badConfig, .badConnection, .badNetwork, .badPDA, .badProxy, .badSize, .badSource,
        .badWait, .connectionsMalformed,
        .open(.configInvalid), .connectionAmbiguous, .open(.fileLarge), .open(.fileMissing), .open(.fileUnreadable),
        .fileUnwritable, .jqArgument, .jqProgram, .jqFailed, .outputFailed, .jqFilter, .jqInput, .manifestInvalid,
        .openSecret,
        .pdaMissing, .tokenFileMissing, .unknownCode, .deadletterUnknown, .notConfirmed, .clientOption,
        .callbackPort, .connectionNew, .serviceLimited, .plugTwice, .diskFull, .open(.configurationInvalid),
    ]

    /// Reading a live source.
    static let live: [PlugError.Code] = [
        .parameterIgnored, .recordBinary, .recordDiverged, .recordEmpty, .recordExists, .recordLarge, .recordSecret,
        .recordUnusable,
    ]

    /// Creating a plug.
    static let beginning: [PlugError.Code] = [
        .plugNameUnfit, .initExists, .initLike, .initFailed, .singerUnusable,
    ]

    /// Operators and API keys.
    static let web: [PlugError.Code] = [
        .apiKeyExists, .apiKeyUnknown, .operatorUnknown,
    ]

    /// Missing or impossible things in the state.
    static let state: [PlugError.Code] = [
        .batchUnknown, .descriptorLimit, .fewDescriptors, .limitUnknown, .stateMissing, .streamUnknown,
    ]

    /// The demo, and applications in an exchange.
    static let demo: [PlugError.Code] = [
        .demoPlugMissing, .demoNoSource, .open(.demoPDA), .applicationInvalid, .badHostAddress, .exchangeFailed,
        .exchangeForbidden, .exchangeRefused, .exchangeUnreachable,
    ]

    /// The sandbox.
    static let sandbox: [PlugError.Code] = [
        .passwordEmpty, .sandboxMissing,
    ]

    /// Calls to a PDA.
    static let calls: [PlugError.Code] = [
        .pdaCall, .pdaDuplicate, .pdaInput, .pdaNotFound, .pdaPasswordMissing, .pdaRefused, .pdaTokenMissing,
    ]
}
