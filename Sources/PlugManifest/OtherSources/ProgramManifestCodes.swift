import PlugCore

extension PlugError.Code {
    static let execExcludes = Self(
        "exec-excludes",
        exit: .configuration,
        "A plug with 'exec' is read by a program and sends no requests: keys for requests ('auth', 'http', 'check', 'webhook') "
            + "would have no effect.",
        example: "exec: {command: [tap-example]}\nhttp: {base: https://api.example.org}",
        "Remove the key. What the program needs, such as a token, goes into 'exec.config'. One that speaks OAuth gets the client and the "
            + "refresh token there, from secret keys of 'config', and renews tokens by itself."
    )

    static let badProgram = Self(
        "bad-program",
        exit: .configuration,
        "'exec.command' is not a program with its arguments. It is started as written, without a shell: each word is one argument, "
            + "and nothing in it is replaced.",
        example: "exec: {command: [\"tap-example --verbose\"]}",
        "Write a list of words: command: [tap-example, --verbose]. Values that differ from person to person go into 'exec.config'."
    )

    static let badCatalogue = Self(
        "bad-catalogue",
        exit: .configuration,
        "'exec.catalog' is neither a catalogue nor the name of a file beside the manifest that has one.",
        example: "exec: {command: [tap-example], catalog: missing.json}",
        "Write the name of a JSON file in the manifest's folder. 'plughost singer discover PATH' writes one."
    )

    static let tapStreamUnused = Self(
        "tap-stream-unused",
        exit: .configuration,
        "'tap_stream' names a stream of the program of 'exec', and this plug has none.",
        example: "streams:\n  things: {endpoint: things, tap_stream: things, request: {path: /things}}",
        "Remove 'tap_stream', or write 'exec' instead of requests."
    )
}

/// The codes of plugs that are read by programs.
enum ProgramManifestCodes {
    static let all: [PlugError.Code] = [.execExcludes, .badProgram, .badCatalogue, .tapStreamUnused]
}
