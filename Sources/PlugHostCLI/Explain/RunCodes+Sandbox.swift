internal import PlugCore

extension RunCodes {
    /// The PDA on this machine.
    static let sandbox: [CodeExplanation] = [
        CodeExplanation(
            "directory-answer",
            exit: .tryLater,
            "The application directory answered with an error, or with something that is not a directory's answer.",
            "Check the address. A PDA requests GET /api/v3/applications and /api/v3/applications/ID there."
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
            "The application directory does not answer. Without it a PDA knows none of its applications.",
            "Start the directory, or check its address and the network."
        ),
        CodeExplanation(
            "password-empty",
            exit: .configuration,
            "The file of --password-file is empty, or holds only white space.",
            "Write a password into it, or leave out the option to have one generated."
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
            "The sandbox's server stopped with an error.",
            "Start it again; its data is kept."
        ),
        CodeExplanation(
            "sandbox-key",
            exit: .configuration,
            "The key that signs the sandbox's tokens cannot be read.",
            "Restore signing-key.pem. If you remove it instead, a new key is generated and all tokens of "
                + "this sandbox become invalid."
        ),
        CodeExplanation(
            "sandbox-listen",
            "The sandbox cannot listen at the address of --listen: it is not an address, or "
                + "another program uses the port.",
            "Write --listen 127.0.0.1:8899, or choose another port; port 0 takes any free port."
        ),
        CodeExplanation(
            "sandbox-locked",
            exit: .tryLater,
            "Another sandbox is running with the same folder.",
            "Stop it first, or choose another folder with --state DIR."
        ),
        CodeExplanation(
            "sandbox-not-loopback",
            exit: .configuration,
            "The sandbox uses HTTP without TLS, and other machines could reach it at this address.",
            "Listen on 127.0.0.1, or add --insecure-listen if you trust everyone on the network."
        ),
        CodeExplanation(
            "sandbox-state",
            exit: .configuration,
            "The sandbox's folder cannot be created, read or written; the error says why.",
            "Choose another folder with --state DIR, or check its permissions."
        ),
    ]
}
