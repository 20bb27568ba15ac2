internal import CryptoExtras
internal import Foundation

/// The key of all sandboxes of this process: to make one takes a second where nothing is optimised.
public enum SandboxKey {
    private static let pem = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation }

    /// Puts the key into a sandbox's state folder, which is made where it is missing.
    public static func put(into folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try Data(pem.get().utf8).write(to: URL(filePath: folder + "/signing-key.pem"))
    }
}
