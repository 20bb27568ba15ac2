/// Which roots a program may use at its place.
struct ProgramScope {
    /// The roots that have a value.
    let available: Set<String>
    /// The names given to `JQProgram`, in order.
    let globals: [String]
    /// The program's place, for messages.
    let place: String
    /// Programs over records never see secrets.
    let seesSecrets: Bool
    /// The names of lists of parents, if a request is made for several: these names have no members.
    var lists: Set<String> = []

    /// The same scope with these names as lists.
    func naming(lists: Set<String>) -> ProgramScope {
        var scope = self
        scope.lists = lists
        return scope
    }

    /// A template, at a place where these roots have values.
    ///
    /// - Parameter own: Names of its own, such as those that `for_each` gives.
    static func template(_ place: String, _ available: Set<String>, own: [String] = []) -> ProgramScope {
        ProgramScope(
            available: available.union(own),
            globals: TemplateRoots.names + own,
            place: place,
            seesSecrets: true
        )
    }

    /// The choice of one of several authorisations. The choice may be shown, so it is not made from secrets.
    static let choice = ProgramScope(
        available: ["config"],
        globals: TemplateRoots.names,
        place: "the choice of 'any_of'",
        seesSecrets: false
    )

    /// A program over a source's answers: it also sees their headers.
    static func answers(_ globals: RecordGlobals, hasParent: Bool) -> ProgramScope {
        records(globals, hasParent: hasParent, place: "a program over an answer")
    }

    /// How the places of programs with an input begin.
    static let overInput = "a program over "
    static let recordsPlace = overInput + "records"

    /// A program over the records of a stream.
    static func records(
        _ globals: RecordGlobals,
        hasParent: Bool,
        place: String = recordsPlace
    ) -> ProgramScope {
        var available = Set(globals.names)
        if !hasParent { available.remove("parent") }
        return ProgramScope(
            available: available,
            globals: globals.names,
            place: place,
            seesSecrets: false
        )
    }

    /// `map`, which sees the bounds of the request if the stream has them.
    static func map(_ globals: RecordGlobals, hasParent: Bool, hasBounds: Bool) -> ProgramScope {
        let records = records(globals, hasParent: hasParent)
        let all = globals.withBounds
        return ProgramScope(
            available: hasBounds ? records.available.union(["since", "until"]) : records.available,
            globals: all.names,
            place: records.place,
            seesSecrets: false
        )
    }

    /// The roots, in words.
    var list: String {
        let names = globals.filter(available.contains)
        return names.isEmpty ? "nothing" : MessageText.list(names)
    }
}
