internal import PlugCore

/// The codes of the host key.
enum KeyCodes {
    static let all: [PlugError.Code] = [
        .keyElsewhere, .keyExposed, .keyMalformed, .keyMissing, .keyUnreadable,
    ]
}

extension PlugError.Code {
    static let keyElsewhere = Self(
        "key-elsewhere",
        exit: .usage,
        "The host key is kept outside the state folder, by PLUGHOST_KEY_FILE or the service manager, and plughost "
            + "does not write there.",
        "Make another key (umask 077; openssl rand -hex 32 > FILE) and run 'plughost keys rotate --new-key-file "
            + "FILE'. Then replace the old key file with it before anything else runs."
    )

    static let keyExposed = Self(
        "key-exposed",
        exit: .configuration,
        "Other users of this machine can read the file with the host key.",
        "Run chmod 600 on the file. Consider who may have read it: with the key and the folder "
            + "they can read the state."
    )

    static let keyMalformed = Self(
        "key-malformed",
        exit: .configuration,
        "The key file does not hold 32 bytes, as hex digits, as base64 or as raw bytes.",
        "Restore the right key. To make a new one: openssl rand -hex 32"
    )

    static let keyMissing = Self(
        "key-missing",
        exit: .configuration,
        "There is a state, but the key that it is encrypted with is missing.",
        "Restore the key, or name it with PLUGHOST_KEY_FILE. Without the key nothing in the state can be read: "
            + "start again with another --state DIR."
    )

    static let keyUnreadable = Self(
        "key-unreadable",
        exit: .configuration,
        "The key file exists but cannot be read, or it is not a regular file.",
        "Check its owner and its permissions."
    )
}
