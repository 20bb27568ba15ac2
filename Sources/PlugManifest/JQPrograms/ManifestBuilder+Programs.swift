import JQ
import LosslessJSON
import PlugCore

extension ManifestBuilder {
    /// Compiles the program in a scalar.
    func program(_ node: YAMLNode?, _ scope: ProgramScope) -> JQProgram? {
        guard let node, let scalar = node.scalar else { return nil }
        let positions = ScalarPositions(of: scalar, in: source)
        return compile(scalar.text, scope) { positions.location(of: $0) }
    }

    /// Compiles a text, and checks its references.
    ///
    /// - Parameter locate: The location of a range of the text's scalars in the file.
    func compile(
        _ text: String,
        _ scope: ProgramScope,
        locate: (Range<Int>) -> Diagnostic.Location
    ) -> JQProgram? {
        do {
            // First with every root, so that one without a value here gets a better message than "not defined".
            let roots = TemplateRoots.names + scope.globals.filter { !TemplateRoots.names.contains($0) }
            let trial = try JQProgram(text, globals: roots, functions: NativeFunctions.all)
            guard checkReferences(trial, scope, locate) else { return nil }
            if roots == scope.globals, coverage == nil { return trial }
            let members = coverage.map { _ in MemberCoverage() }
            let program = try JQProgram(
                text,
                globals: scope.globals,
                functions: NativeFunctions.all,
                coverage: members
            )
            if let members, let coverage { coverage.add(members, locate) }
            return program
        } catch {
            report(error, in: text, scope, locate)
            return nil
        }
    }

    private func report(
        _ error: JQSyntaxError,
        in text: String,
        _ scope: ProgramScope,
        _ locate: (Range<Int>) -> Diagnostic.Location
    ) {
        let scalars = Array(text.unicodeScalars)
        let range = error.range.clamped(to: 0..<scalars.count)
        let word = String(String.UnicodeScalarView(scalars[range].prefix { $0.isASCIIWord || $0 == "_" }))
        let isAccess =
            range.lowerBound + word.unicodeScalars.count < scalars.count
            && scalars[range.lowerBound + word.unicodeScalars.count] == "."
        let known = scope.globals.filter(scope.available.contains)
        if !word.isEmpty, isAccess || error.help == nil, let nearest = Spelling.nearest(word, in: known),
            nearest != word
        {
            let end = range.lowerBound + word.unicodeScalars.count
            let message = "there is no '\(word)' in \(scope.place)"
            findings.error(
                .unknownRoot,
                message,
                at: locate(range.lowerBound..<end),
                help: "did you mean '\(nearest)'?"
            )
        } else {
            // A bare name is more often intended as something to start from than as a function.
            let isName = error.message.hasSuffix("/0 is not defined")
            let isEscape = error.message.hasPrefix("unknown escape")
            let escapeHelp =
                #"a jq string has \\ for a backslash; write the program in '…', because YAML's "…" removes one of them"#
            let help =
                isName ? bareNameHelp(word, error.help, scope) : error.help ?? (isEscape ? escapeHelp : nil)
            findings.error(.jqSyntax, error.message, at: locate(error.range), help: help)
        }
    }

    /// What was probably intended by an unknown name: a function that has another name here, or a member.
    private func bareNameHelp(_ word: String, _ suggestion: String?, _ scope: ProgramScope) -> String {
        if let function = Self.otherNames[word.lowercased()] { return "jq says '\(function)'" }
        // Nearly every short word is similar to another.
        if word.count > 3, let suggestion { return suggestion }
        if scope.place.hasPrefix(ProgramScope.overInput), !word.isEmpty { return "write '.\(word)' for a member" }
        return suggestion ?? "what can be used here: \(scope.list)"
    }

    /// Names of functions in other languages.
    private static let otherNames = [
        "uppercase": "ascii_upcase", "upper": "ascii_upcase", "toupper": "ascii_upcase", "lowercase": "ascii_downcase",
        "lower": "ascii_downcase", "tolower": "ascii_downcase", "len": "length", "size": "length", "count": "length",
        "filter": "select", "where": "select", "strip": "trim", "concat": "add", "sum": "add", "includes": "contains",
        "int": "tonumber", "float": "tonumber", "parseint": "tonumber", "str": "tostring", "string": "tostring",
        "to_s": "tostring", "replace": "sub", "substring": "a slice, as in .[0:3]", "substr": "a slice, as in .[0:3]",
        "json": "tojson", "parse": "fromjson", "none": "null", "nil": "null", "undefined": "null",
    ]

    /// Whether every root that a program uses has a value at its place, and every key of `config` and `vars` exists.
    private func checkReferences(
        _ program: JQProgram,
        _ scope: ProgramScope,
        _ locate: (Range<Int>) -> Diagnostic.Location
    ) -> Bool {
        var isFine = true
        program.syntax.visit { syntax in
            if let root = Self.root(syntax, of: program), !scope.available.contains(root) {
                isFine = false
                let message = "'\(root)' has no value in \(scope.place)"
                findings.error(.rootUnavailable, message, at: locate(syntax.range), help: help(for: root, scope))
            }
            if case .index(let target, let key) = syntax.node, let root = Self.root(target, of: program),
                scope.available.contains(root), case .literal(let value) = key.node, let name = value.stringText
            {
                isFine = checkMember(name, of: root, scope, at: locate(syntax.range)) && isFine
            }
        }
        return isFine
    }

    private static func root(_ syntax: JQSyntax, of program: JQProgram) -> String? {
        switch syntax.node {
        case .call(let name, let arguments) where arguments.isEmpty && program.usedGlobals.contains(name): name
        case .variable(let name) where program.usedGlobals.contains(name): name
        default: nil
        }
    }

    private func help(for root: String, _ scope: ProgramScope) -> String {
        if root == "parent" { return "only a stream with 'for_each' has a parent" }
        if root == "grant", grantNames.isEmpty, Self.grantPlaces.contains(scope.place) {
            return "keep something of the answer with the token: 'auth: {oauth2: {keep: {instance: .instance_url}}}'"
        }
        if ["since", "until"].contains(root), scope.globals.contains(root), scope.place == ProgramScope.recordsPlace {
            return "only a stream with 'since' has bounds"
        }
        return "what can be used here: \(scope.list)"
    }

    /// Where templates see what was kept from the answer with the token.
    private static let grantPlaces = ["http.base", "a request", "check"]

    private func checkMember(
        _ name: String,
        of root: String,
        _ scope: ProgramScope,
        at location: Diagnostic.Location
    ) -> Bool {
        if scope.lists.contains(root) {
            let message = "'\(root)' is a list of parents here ('group'), which has no member '\(name)'"
            let help = "write \(root)[].\(name) for each of them, as in [\(root)[].\(name)]"
            findings.error(.groupMember, message, at: location, help: help)
            return false
        }
        switch root {
        case "config":
            if !scope.seesSecrets, secrets.contains(name) {
                let isChoice = scope.place == ProgramScope.choice.place
                findings.error(
                    .secretInProgram,
                    "the secret 'config.\(name)' is used in \(isChoice ? scope.place : "a program over records")",
                    at: location,
                    help: isChoice
                        ? "choose by a key that is not a secret"
                        : "programs over records cannot use secrets: use it in 'auth', 'http' or 'request'"
                )
                return false
            }
            if fileFields.contains(name), scope.place != Self.archivePlace {
                reportFile(name, in: scope, at: location)
                return false
            }
            if configNames.contains(name) { return true }
            let help = MessageText.help(for: name, in: configNames, called: "config keys")
            findings.error(.open(.unknownConfig), "there is no config key '\(name)'", at: location, help: help)
            return false
        case "vars":
            if varNames.contains(name) { return true }
            let help = MessageText.help(for: name, in: varNames, called: "vars before it")
            findings.error(.unknownVar, "there is no var '\(name)'", at: location, help: help)
            return false
        case "page":
            return checkMember(name, of: root, in: TemplateRoots.ofPage, at: location)
        case "grant":
            return checkMember(name, of: root, in: grantNames, at: location)
        case "headers" where name != name.lowercased():
            let message = "'headers' has no '\(MessageText.shortened(name))': names of headers are in lower case here"
            let written = JSONValue.text(name.lowercased()).compactText
            findings.error(.unknownRoot, message, at: location, help: "write headers[\(written)]")
            return false
        case SignSettings.requestRoot where scope.globals.contains(SignSettings.signatureRoot):
            return checkMember(name, of: root, in: SignSettings.ofRequest, at: location)
        default: return true
        }
    }

    private func checkMember(
        _ name: String,
        of root: String,
        in known: [String],
        at location: Diagnostic.Location
    ) -> Bool {
        if known.contains(name) { return true }
        let help = MessageText.help(for: name, in: known, called: "members of '\(root)'")
        findings.error(.unknownRoot, "there is no '\(root).\(name)'", at: location, help: help)
        return false
    }
}
