internal import JQ
package import PlugCore
internal import Synchronization

/// Which of the members that a manifest's programs and templates name existed in the values that they ran on.
///
/// Pass one to `ManifestReader`, run the manifest's tests, and query what was not met.
package final class ManifestCoverage: Sendable {
    /// A member that no object had in any test.
    package struct Unmet: Sendable, Equatable {
        /// What the tests had instead.
        package enum Reason: Sendable, Equatable {
            /// No test runs the program that names it, or any other member of the program.
            case notRun
            /// The program runs, but not as far as this.
            case notReached
            /// The value that should have the member was `null` each time.
            case nothingThere
            /// There were objects, but without it. The nearest of their members, if one is similar.
            case otherMembers(nearest: String?)
        }

        /// The member's name.
        package var name: String
        /// Where the manifest names it.
        package var location: Diagnostic.Location
        /// What the tests had instead.
        package var reason: Reason
    }

    private struct CoveredProgram {
        var members: MemberCoverage
        /// The locations of its sites.
        var locations: [Diagnostic.Location]
    }

    private let programs = Mutex<[CoveredProgram]>([])

    /// Creates an empty coverage.
    package init() {}

    /// Adds a program.
    ///
    /// - Parameter locate: The location of a range of the program's scalars in the file.
    func add(_ members: MemberCoverage, _ locate: (Range<Int>) -> Diagnostic.Location) {
        let locations = members.sites.map { locate($0.range) }
        programs.withLock { $0.append(CoveredProgram(members: members, locations: locations)) }
    }

    /// The members that were not met, in the order of the file; for a program that never ran only the first.
    ///
    /// A place in the file that is compiled for several streams counts as met if one of them met it.
    package var unmet: [Unmet] {
        var sites: [Diagnostic.Location: MemberCoverage.Site] = [:]
        var firsts: [Diagnostic.Location: Diagnostic.Location] = [:]
        let programs = programs.withLock { $0 }
        for program in programs {
            for (site, location) in zip(program.members.sites, program.locations) where !site.isChecked {
                firsts[location] = program.locations[0]
                sites[location] = sites[location].map { $0.joined(with: site) } ?? site
            }
        }
        let run = Set(sites.filter { $0.value.isReached }.compactMap { firsts[$0.key] })
        var unmet: [Unmet] = []
        var told: Set<Diagnostic.Location> = []
        for (location, site) in sites.sorted(by: { $0.key < $1.key }) where !site.isMet {
            guard let first = firsts[location] else { continue }
            if run.contains(first) {
                unmet.append(Unmet(name: site.name, location: location, reason: Self.reason(site)))
            } else if told.insert(first).inserted {
                unmet.append(Unmet(name: site.name, location: location, reason: .notRun))
            }
        }
        return unmet
    }

    private static func reason(_ site: MemberCoverage.Site) -> Unmet.Reason {
        guard site.isReached else { return .notReached }
        guard !site.others.isEmpty else { return .nothingThere }
        return .otherMembers(nearest: Spelling.nearest(site.name, in: site.others.sorted()))
    }
}

extension MemberCoverage.Site {
    /// Whether the manifest's reader knows all possible members.
    fileprivate var isChecked: Bool {
        global.map(["config", "vars", "page", "grant", "since", "until", "now", "request"].contains) ?? false
    }

    /// The combined notes of two programs with the same text.
    fileprivate func joined(with other: Self) -> Self {
        var joined = self
        joined.isReached = isReached || other.isReached
        joined.isMet = isMet || other.isMet
        joined.others.formUnion(other.others)
        return joined
    }
}
