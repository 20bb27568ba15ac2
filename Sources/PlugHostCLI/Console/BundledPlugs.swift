internal import FoundationEssentials

/// The plugs that come with plughost.
enum BundledPlugs {
    /// Their possible folders, the likeliest first: the current folder, and those around this program.
    static var folders: [String] {
        var folders = ["Plugs"]
        var folder = Substring(executable)
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            folders += ["\(folder)/Plugs", "\(folder)/share/plughost/Plugs"]
        }
        return folders
    }

    /// This program's own file; empty if the system does not say.
    private static var executable: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    }
}
