package import PlugCore

/// The codes of programs' messages, as `plughost explain` lists them.
package enum SingerCodes {
    /// All of them.
    package static let all: [PlugError.Code] = [
        .programMessage, .programLine, .programBatch, .programSchemaChanged, .programKeyMissing, .programUnannounced,
        .programStateEarly, .programStreamNew, .programStreamUnused, .programStreamMissing, .programMessageUnknown,
    ]
}

extension PlugError.Code {
    package static let programMessage = Self(
        "program-message",
        exit: .data,
        "A line of a program's stdout is not a Singer message: it is not JSON, is cut off, or lacks what its type needs. What came "
            + "before it is delivered; what came after it is not read.",
        "Singer programs write messages to stdout and everything else to stderr. If the program was killed, run again: the next "
            + "run continues from the saved state. Otherwise tell the program's author which line it is."
    )

    static let programLine = Self(
        "program-line",
        exit: .data,
        "A line of a program's stdout is longer than 'exec.limits.line' allows, never ends, or has more values than a line of that "
            + "length may have: one per four bytes.",
        "Raise 'exec.limits.line' if the program has such records. Otherwise its stdout is not a Singer stream."
    )

    static let programBatch = Self(
        "program-batch",
        exit: .configuration,
        "The program hands over files instead of records (BATCH, an extension of the Singer SDK). Such records have no state behind "
            + "them, and plughost does not read them.",
        "Remove 'batch_config' from the program's configuration: then it writes RECORD messages."
    )

    static let programSchemaChanged = Self(
        "program-schema-changed",
        exit: .data,
        "A program has announced other key properties for a stream (SCHEMA) than before, in this run or in an earlier one, and the "
            + "manifest names no 'key': the same records would get new identities and be stored twice. What came before is "
            + "delivered.",
        "Write the stream's earlier 'key' in the manifest, so that records in the PDA are recognised."
    )

    static let programKeyMissing = Self(
        "program-key-missing",
        exit: .data,
        "A stream has no key: the program's SCHEMA names no key properties, and the manifest names no 'key'. Without one, records could "
            + "not be told apart.",
        "Write the stream's 'key' in the manifest: the members that identify a record, such as 'key: [.id]'."
    )

    static let programUnannounced = Self(
        "program-unannounced",
        exit: .data,
        "A program has sent a record of a stream before the stream's SCHEMA.",
        "Tell the program's author. What came before the record is delivered."
    )

    package static let programStateEarly = Self(
        "program-state-early",
        "A warning: a program has written a STATE and then records that are older than this STATE. If the run ended in between, "
            + "they would be lost. So states of this run are kept only if it ends successfully.",
        "Nothing is lost. The program should write the STATE after its records: tell its author."
    )

    package static let programStreamNew = Self(
        "program-stream-new",
        "A warning: the program's state was made before the manifest had this stream, or for another stream of the program "
            + "('tap_stream'), so its records would begin in the middle. "
            + "The program is run without its state: it gives everything again, and what is already in the PDA is not stored twice.",
        "Do nothing: once such a run has reached a state, the next one continues there."
    )

    package static let programStreamUnused = Self(
        "program-stream-unused",
        "A warning: a program sends records of a stream that the manifest does not name. They are not delivered, and its STATE is not "
            + "kept: each run reads them again.",
        "Name the stream in the manifest, with 'tap_stream' if its name is another one. If its records are not wanted, deselect it in the "
            + "catalogue, or list it in 'exec.ignore'."
    )

    package static let programStreamMissing = Self(
        "program-stream-missing",
        "A warning: the program has not announced a stream that the manifest names.",
        "Check whether the name is the program's own ('tap_stream'), and whether the stream is selected in the catalogue. Some programs "
            + "read a stream only together with its parent: name the parent, too, and run without --stream."
    )

    package static let programMessageUnknown = Self(
        "program-message-unknown",
        "A warning: a program has written messages of a type that Singer does not have. They were ignored.",
        "Do nothing if the program's documentation says what they are for."
    )
}
