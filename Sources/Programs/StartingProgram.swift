internal import CProgram
internal import CurlTransport
internal import Glibc
internal import PlugCore

/// Everything needed to start a program: prepared here, handed to the keeper.
struct StartingProgram {
    let call: ProgramCall
    let place: ProgramPlace
    /// `nil` for a trusted program.
    let sandbox: Sandbox?
    let permissions: ProgramPermissions
    let output: Pipe
    let errors: Pipe
    let control: Pipe
    let report: Pipe
    let status: Pipe
    /// The program's stdin; `nil` for none.
    let input: SharedDescriptor?
    let scratch: String?
    let secretFiles: [String]

    /// Finds the program, and prepares its resources.
    init(_ call: ProgramCall, _ permissions: ProgramPermissions) throws(PlugError) {
        let searched = ProgramLookup.folders
        self.call = call
        self.permissions = permissions
        place = try ProgramPlace(
            call.command,
            in: call.folder,
            searching: searched,
            hiding: permissions.areTrusted ? [] : permissions.hidden,
            guarding: permissions.areTrusted ? [] : permissions.guarded,
            allowing: permissions.folders
        )
        sandbox = permissions.areTrusted ? nil : try Sandbox(searching: searched)
        // Room for a page of records at once.
        output = try Pipe(room: 1 << 20)
        (errors, control, report, status) = (try Pipe(), try Pipe(), try Pipe(), try Pipe())
        input = try call.input.map { text throws(PlugError) in try MemoryFile.holding(text.reveal().utf8) }
        if sandbox == nil {
            let folder = try ScratchFolder.make()
            scratch = folder
            secretFiles = call.files.map { "\(folder)/\($0.name)" }
            do throws(PlugError) { try writeFiles() } catch {
                ScratchFolder.remove(folder)
                throw error
            }
        } else {
            (scratch, secretFiles) = (nil, [])
        }
    }

    /// This process's PATH: where the operator keeps programs.
    private func writeFiles() throws(PlugError) {
        for (file, path) in zip(call.files, secretFiles) {
            do { try WholeFile.replace(path, with: Array(file.content.reveal().utf8), mode: 0o600) } catch {
                throw PlugError(.programNotStarted, "cannot write the program's \(file.name): \(error.reason)")
            }
        }
    }

    /// Starts the program. Blocks its thread for some milliseconds.
    func start(egress rules: EgressRules?) throws(PlugError) -> RunningProgram {
        do throws(PlugError) {
            guard let sandbox else { return try startPlain() }
            return try startWrapped(sandbox, rules)
        } catch {
            if let scratch { ScratchFolder.remove(scratch) }
            throw error
        }
    }

    private func startPlain() throws(PlugError) -> RunningProgram {
        let home = scratch ?? "/"
        let words = [place.path] + call.arguments(filesIn: home)
        let variables = ProgramEnvironment.variables(of: place, home: home)
        let keeper = try launch(place.path, words, variables, in: home, kept: [], network: -1)
        closeOtherEnds()
        return RunningProgram(self, keeper: keeper, egress: nil)
    }

    private func startWrapped(_ sandbox: Sandbox, _ rules: EgressRules?) throws(PlugError) -> RunningProgram {
        var files: [(name: String, file: SharedDescriptor)] = []
        for file in call.files { files.append((file.name, try MemoryFile.holding(file.content.reveal().utf8))) }
        let filter = try MemoryFile.holding(SeccompFilter.bytes ?? [])
        let (accounts, hosts) = (
            try MemoryFile.holding(Sandbox.accounts.utf8), try MemoryFile.holding(Sandbox.hosts.utf8)
        )
        let words = sandbox.arguments(
            for: place,
            call.arguments(filesIn: Sandbox.folder),
            files: files.map { ($0.name, $0.file.value) },
            limits: call.limits,
            filter: filter.value,
            status: status.writing.value,
            accounts: accounts.value,
            hosts: hosts.value
        )
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw RunningProgram.notStarted("no socket", errno)
        }
        let (near, far) = (SharedDescriptor(ends[0]), SharedDescriptor(ends[1]))
        let kept = files.map(\.file.value) + [filter.value, status.writing.value, accounts.value, hosts.value]
        let variables = Sandbox.environment(for: place)
        let keeper = try launch(sandbox.wrapper, words, variables, in: "/", kept: kept, network: far.value)
        far.close()
        closeOtherEnds()
        withExtendedLifetime((files.map(\.file), filter, accounts, hosts)) {}
        // -1 if the program has no network of its own: it was then not started, and its end says why.
        let listener = plughost_receive_descriptor(near.value)
        let egress = listener >= 0 ? rules.flatMap { EgressProxy(SharedDescriptor(listener), $0) } : nil
        egress?.start()
        return RunningProgram(self, keeper: keeper, egress: egress)
    }

    /// Closes the program's ends of the pipes: only the program must hold them, so that they close with it.
    private func closeOtherEnds() {
        for end in [output.writing, errors.writing, report.writing, status.writing, control.reading] { end.close() }
        input?.close()
    }

    private func launch(
        _ path: String,
        _ words: [String],
        _ variables: [String],
        in folder: String,
        kept: [Int32],
        network: Int32
    ) throws(PlugError) -> pid_t {
        let limits = call.limits
        let (code, keeper) = CStrings.with([path, folder]) { texts in
            CStrings.with(words) { words in
                CStrings.with(variables) { variables in
                    CStrings.with(secretFiles + [scratch].compactMap(\.self)) { temporary in
                        kept.withUnsafeBufferPointer { kept in
                            var program = plughost_program()
                            program.path = texts[0]
                            program.folder = texts[1]
                            program.arguments = words
                            program.environment = variables
                            program.output = output.writing.value
                            program.errors = errors.writing.value
                            program.input = input?.value ?? -1
                            program.control = control.reading.value
                            program.report = report.writing.value
                            program.kept = kept.baseAddress
                            program.kept_count = kept.count
                            program.network = network
                            program.port = Sandbox.proxyPort
                            program.is_wrapped = network >= 0 ? 1 : 0
                            program.memory = UInt64(limits.memory)
                            program.file_size = UInt64(limits.disk)
                            program.open_files = UInt64(limits.openFiles)
                            program.processes = UInt32(limits.processes)
                            program.time = limits.time.milliseconds
                            program.grace = limits.grace.milliseconds
                            program.temporary = temporary
                            let keeper = plughost_program_start(&program)
                            return (errno, keeper)
                        }
                    }
                }
            }
        }
        if keeper < 0 { throw RunningProgram.notStarted("no process", code) }
        return keeper
    }
}

extension Duration {
    /// Whole milliseconds.
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}

/// Texts as C expects them: a null-terminated array of pointers.
private enum CStrings {
    static func with<Result>(_ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result) -> Result {
        // strdup(3): freed below, after the last use of the array.
        var pointers = texts.map { UnsafePointer<CChar>(strdup($0)) } + [nil]
        defer { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
        return pointers.withUnsafeMutableBufferPointer { pointers in
            guard let base = pointers.baseAddress else {
                preconditionFailure("an array with a null at its end is not empty")
            }
            return body(UnsafePointer(base))
        }
    }
}
