internal import CClock
internal import CurlTransport
internal import Glibc
internal import PlugCore
internal import PlugStorage

/// The checks of the program and its machine.
enum MachineChecks {
    static func build() -> CheckResult {
        var name = utsname()
        // uname(2) fails only for a bad address.
        uname(&name)
        let system = withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let text = "plughost \(PlugHostProgram.version) on Linux \(system)"
        #if DEBUG
            return .warning(
                "build",
                "\(text), a debug build: slow, and large",
                cure: "install the package, or 'make release'"
            )
        #else
            return .ok("build", text)
        #endif
    }

    static func libraries() -> CheckResult {
        let text = "\(HTTPTransport.library), SQLite \(SQLiteStore.libraryVersion)"
        guard HTTPTransport.hasTLS else {
            return .failure(
                "libraries",
                "\(text): this libcurl cannot do https",
                cure: "install libcurl with OpenSSL (Debian: libcurl4)"
            )
        }
        return .ok("libraries", text)
    }

    /// With less free than this number of bytes, or this share of the disk, it is nearly full.
    private static let little: UInt64 = 1 << 30
    /// With less than this, SQLite's log may run out of space during a single run.
    private static let tooLittle: UInt64 = 200 << 20

    /// - Parameter folder: The state folder, or its future path.
    static func disk(_ folder: String) -> CheckResult {
        // The nearest existing folder.
        var place = folder
        while access(place, F_OK) != 0, let slash = place.lastIndex(of: "/"), slash != place.startIndex {
            place = String(place[..<slash])
        }
        var status = statvfs()
        guard statvfs(place, &status) == 0 else {
            return .failure(
                "disk",
                "\(place) cannot be examined: \(String(cString: strerror(errno)))",
                cure: "check --state"
            )
        }
        let (free, total) = (status.f_bavail * status.f_frsize, status.f_blocks * status.f_frsize)
        let text = "\(HumanSize.text(Int(free))) of \(HumanSize.text(Int(total))) are free at \(place)"
        let cure = "free some space, or move the state folder; fetching stops before anything is lost"
        if status.f_flag & UInt(ST_RDONLY) != 0 {
            return .failure("disk", "\(place) is read-only", cure: "remount it writable, or name another --state")
        }
        if free < tooLittle { return .failure("disk", text, cure: cure) }
        if status.f_files > 0, status.f_favail < 1_000 {
            return .failure("disk", "\(place) has room for only \(status.f_favail) more files", cure: cure)
        }
        if free < little || free < total / 20 { return .warning("disk", text, cure: cure) }
        return .ok("disk", text)
    }

    /// What is wrong with a disk if work cannot continue; `nil` if nothing is.
    static func shortage(at folder: String) -> String? {
        let result = disk(folder)
        return result.verdict == .failure ? result.text : nil
    }

    /// With less than this number of bytes no run can store anything.
    private static let nothing: UInt64 = 8 << 20

    /// - Throws: `disk-full` if nothing can be written.
    static func checkRoom(at folder: String) throws(PlugError) {
        var status = statvfs()
        // A disk that cannot be examined is left for the store to report.
        guard statvfs(folder, &status) == 0 else { return }
        let isReadOnly = status.f_flag & UInt(ST_RDONLY) != 0
        if !isReadOnly, status.f_bavail * status.f_frsize >= nothing { return }
        throw PlugError(
            .diskFull,
            isReadOnly ? "the disk of \(folder) is read-only" : "the disk of \(folder) is full",
            advice: "free some space; nothing is lost, and runs continue by themselves"
        )
    }

    /// 2026-01-01: this version was not released earlier.
    private static let firstDay: Int64 = 1_767_225_600_000_000

    static func clock(now: Int64) -> CheckResult {
        let text = Timestamp(seconds: now / 1_000_000).rfc3339
        let cure = CheckResult.clockCure
        if now < firstDay {
            return .failure("clock", "it is \(text) by this machine's clock, which is long ago", cure: cure)
        }
        if plughost_clock_is_kept() == 0 {
            return .warning("clock", "\(text), but no service keeps the clock right", cure: cure)
        }
        return .ok("clock", "\(text); the system keeps the clock right")
    }
}
