internal import Cryptography
internal import Foundation

/// The key of all sandboxes of this process: to make one takes a second where nothing is optimised.
package enum SandboxKey {
    private static let pem = RSAPrivateKey().pem

    /// Puts the key into a sandbox's state folder, which is made where it is missing.
    package static func put(into folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try Data(pem.utf8).write(to: URL(filePath: folder + "/signing-key.pem"))
    }
}
