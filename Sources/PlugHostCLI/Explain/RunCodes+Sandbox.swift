internal import PlugCore

extension RunCodes {
    /// The PDA on this machine.
    static let sandbox: [CodeExplanation] = [
        CodeExplanation(
            "directory-answer",
            exit: .tryLater,
            "The application directory answered with an error, or with something that is no directory's answer.",
            "Check the address. A PDA asks GET /api/v3/applications and /api/v3/applications/ID there."
        ),
        CodeExplanation(
            "directory-definition",
            exit: .configuration,
            "Two application definitions have the same id, or one has none.",
            "Write definitions with 'plughost application export', one for each plug."
        ),
        CodeExplanation(
            "directory-unreachable",
            exit: .unreachable,
            "The application directory does not answer. A PDA without it knows none of its applications.",
            "Start the directory, or check its address and the network."
        ),
        CodeExplanation(
            "password-empty",
            exit: .configuration,
            "The file that --password-file names holds nothing but white space.",
            "Write a password into it, or leave the option out: one is made."
        ),
        CodeExplanation(
            "sandbox-application",
            exit: .configuration,
            "The sandbox does not know the application, or its definition lacks an id or a version such as 1.0.0.",
            "Start the sandbox with --plugs PATH, or name the manifest instead of the application's id."
        ),
        CodeExplanation(
            "sandbox-broken",
            exit: .failed,
            "The sandbox's server ended with an error.",
            "Start it again; what it stored is kept."
        ),
        CodeExplanation(
            "sandbox-key",
            exit: .configuration,
            "The key that signs the sandbox's tokens cannot be read.",
            "Restore signing-key.pem, or remove it: a new one is made, and all tokens of this sandbox end."
        ),
        CodeExplanation(
            "sandbox-listen",
            "The sandbox cannot listen where --listen says: it is not an address, or another program has the port.",
            "Write --listen 127.0.0.1:8899, another port, or port 0 for any that is free."
        ),
        CodeExplanation(
            "sandbox-locked",
            exit: .tryLater,
            "Another sandbox runs with the same folder.",
            "Stop it first, or choose another folder with --state DIR."
        ),
        CodeExplanation(
            "sandbox-not-loopback",
            exit: .configuration,
            "The sandbox speaks HTTP without TLS, and would be open to other machines at this address.",
            "Listen on 127.0.0.1, or add --insecure-listen where the network is yours alone."
        ),
        CodeExplanation(
            "sandbox-state",
            exit: .configuration,
            "The sandbox's folder cannot be made, read or written; the error says why.",
            "Choose another folder with --state DIR, or check who may write there."
        ),
    ]
}
