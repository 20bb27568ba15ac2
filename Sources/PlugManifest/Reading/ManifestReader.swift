/// Reads manifests: bytes, located tree, checks, model.
public enum ManifestReader {
    static func tree(_ text: [UInt8]) -> YAMLReader.Result { YAMLReader.read(text) }
}
