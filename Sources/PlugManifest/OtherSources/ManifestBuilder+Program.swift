import LosslessJSON
import PlugCore

// The program that reads a plug's source.
extension ManifestBuilder {
    /// Keys that only a plug with requests has.
    private static let requesting = ["auth", "check", "webhook", "http"]

    /// The settings of the program; `nil` without one, or if any of it is invalid.
    func program(_ keys: CheckedMapping) -> ProgramSettings? {
        guard let entry = keys.entry("exec"),
            let exec = CheckedMapping(entry.value, Tables.exec, at: entry.keyLocation, findings)
        else { return nil }
        for key in Self.requesting where keys.isWritten(key) {
            let help = "remove '\(key)'; what the program needs to know goes into 'exec.config'"
            let message = "'\(key)' is for requests, and this plug is read by a program ('exec')"
            findings.error(.execExcludes, message, at: keys.location(key), help: help)
        }
        let command = command(exec)
        let scope = ProgramScope.template("'exec.config'", Self.connectionRoots)
        let config = exec["config"].map { jsonTemplate($0, scope) }
        let catalogue = exec["catalog"].map { self.catalogue($0) }
        let limits = exec["limits"].map { programLimits($0, at: exec.location("limits")) }
        guard let command else { return nil }
        if let config, config == nil { return nil }
        if let catalogue, catalogue == nil { return nil }
        return ProgramSettings(
            command: command,
            config: config ?? nil,
            catalogue: catalogue ?? nil,
            catalogueFile: exec["catalog"]?.scalar?.text,
            ignored: exec["ignore"]?.sequence?.compactMap { $0.scalar?.text } ?? [],
            takesProperties: exec["properties"]?.scalar?.bool ?? false,
            trust: exec.text("trust").flatMap(ProgramSettings.Trust.init(rawValue:)) ?? .sandbox,
            limits: limits ?? ProgramSettings.Limits()
        )
    }

    private func command(_ exec: CheckedMapping) -> [String]? {
        guard let node = exec["command"] else { return nil }
        let nodes = node.sequence ?? []
        let words = nodes.compactMap { $0.scalar?.text }
        let help = "write the program's name and its arguments: command: [tap-example]"
        func refuse(_ message: String, _ location: Diagnostic.Location) -> [String]? {
            findings.error(.badProgram, message, at: location, help: help)
            return nil
        }
        guard let first = words.first, !first.isEmpty else {
            return refuse("'command' names no program", node.location)
        }
        for (word, node) in zip(words, nodes) {
            if word.contains("{{") {
                let message = "'command' has no templates: everybody on the machine can see arguments"
                findings.error(.badProgram, message, at: node.location, help: "write the value in 'exec.config'")
                return nil
            }
            if word.unicodeScalars.contains(where: Self.isControl) {
                return refuse("a word of 'command' has control characters", node.location)
            }
        }
        if words.count == 1, first.contains(" ") {
            return refuse("no shell reads 'command': each word stands for itself", nodes[0].location)
        }
        return words
    }

    /// The catalogue: inline, or from a file.
    private func catalogue(_ node: YAMLNode) -> JSONValue? {
        func refuse(_ reason: String, _ help: String) -> JSONValue? {
            findings.error(.badCatalogue, reason, at: node.location, help: help)
            return nil
        }
        var value = node.jsonValue
        if let name = node.scalar?.text {
            let text: String
            do throws(NeighbourFile.Refused) {
                if let known = files[name] {
                    text = known
                } else {
                    text = try NeighbourFile.read(name, in: folder, limit: NeighbourFile.catalogueLimit)
                }
            } catch {
                return refuse(
                    "cannot read '\(MessageText.shortened(name))': \(error.reason)",
                    "\(error.help); or remove 'catalog': then 'plughost singer discover PATH' writes a new one"
                )
            }
            files[name] = text
            do throws(JSONError) { value = try JSONValue(parsing: text) } catch {
                return refuse(
                    "'\(MessageText.shortened(name))' is not JSON: \(error)",
                    "remove 'catalog'; then 'plughost singer discover PATH' writes a new one"
                )
            }
        }
        guard value["streams"]?.elements?.allSatisfy({ $0.object != nil }) == true else {
            return refuse(
                "a catalogue has a list of 'streams'",
                "remove 'catalog'; then 'plughost singer discover PATH' writes one"
            )
        }
        return value
    }

    private func programLimits(_ node: YAMLNode, at place: Diagnostic.Location) -> ProgramSettings.Limits {
        var limits = ProgramSettings.Limits()
        guard let keys = CheckedMapping(node, Tables.programLimits, at: place, findings) else { return limits }
        func size(_ key: String, _ range: ClosedRange<Int>) -> Int? {
            guard let size = keys.text(key).flatMap(HumanSize.parse) else { return nil }
            if range.contains(size) { return size }
            findings.error(
                .outOfRange,
                "'\(key)' must be from \(HumanSize.text(range.lowerBound)) to \(HumanSize.text(range.upperBound))",
                at: keys.location(key)
            )
            return nil
        }
        if let time = keys.duration("time") {
            if time >= .seconds(1), time <= .seconds(86_400) {
                limits.time = time
            } else {
                findings.error(.outOfRange, "'time' must be from 1s to 1d", at: keys.location("time"))
            }
        }
        limits.memory = size("memory", 16 << 20...1 << 40)
        limits.output = size("output", 1 << 10...1 << 50)
        limits.line = size("line", 1 << 10...64 << 20)
        limits.disk = size("disk", 1 << 20...1 << 40)
        limits.processes = keys.integer("processes")
        return limits
    }
}
