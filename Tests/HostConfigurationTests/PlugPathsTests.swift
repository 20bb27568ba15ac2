import HostConfiguration
import Testing

struct PlugPathsTests {
    @Test func aPathIsAManifestAFolderWithOneOrAFolderOfSuch() throws {
        try HostSample.withFolder { folder in
            for name in ["one/plug.yaml", "many/b/plug.yaml", "many/a/plug.yaml", "many/c/x.yaml", "many/.d/plug.yaml"]
            {
                try HostSample.write("", to: "\(folder)/\(name)")
            }
            let cases: [(String, [String])] = [
                ("one/plug.yaml", ["one/plug.yaml"]), ("many/c/x.yaml", ["many/c/x.yaml"]), ("one", ["one/plug.yaml"]),
                ("one/", ["one/plug.yaml"]), ("many", ["many/a/plug.yaml", "many/b/plug.yaml"]), ("many/c", []),
                ("none", []),
            ]
            for (path, manifests) in cases {
                #expect(PlugPaths.manifests(at: "\(folder)/\(path)") == manifests.map { "\(folder)/\($0)" }, "\(path)")
            }
        }
    }
}
