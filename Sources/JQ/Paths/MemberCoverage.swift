import LosslessJSON
internal import Synchronization

/// Notes which of the members that a program names occurred in its inputs, for tests of manifests.
///
/// A program with a misspelt member runs without an error and gives `null`: only data can reveal it.
package final class MemberCoverage: Sendable {
    /// A place in a program that names a member: `.name`, `."name"` or a key of a pattern.
    package struct Site: Sendable, Equatable {
        /// The member's name.
        package let name: String
        /// Its place, in Unicode scalars of the program.
        package let range: Range<Int>
        /// The global whose member it is; `nil` for a member of anything else.
        package let global: String?
        /// Whether a value came here whose member was wanted.
        package var isReached = false
        /// Whether an object had the member, even if `null`.
        package var isMet = false
        /// The members of objects that lacked it; the first ones only.
        package var others: Set<String> = []
    }

    /// The maximum number of names noted for each site: enough to find the intended one.
    private static let otherLimit = 500

    private let noted = Mutex<[Site]>([])

    /// The coverage of a program that has not run.
    package init() {}

    /// What has been noted so far, in the order of compilation.
    package var sites: [Site] { noted.withLock { $0 } }

    /// The number of a site; a definition that is inlined has one per call for each of its sites.
    func site(_ name: String, at range: Range<Int>, of global: String?) -> Int32 {
        noted.withLock { sites in
            if let known = sites.firstIndex(where: { $0.range == range }) { return Int32(known) }
            sites.append(Site(name: name, range: range, global: global))
            return Int32(sites.count - 1)
        }
    }

    /// Notes the value whose member a site names. A value that is not an object has no members to compare with.
    func note(_ value: Value, at site: Int32) {
        noted.withLock { sites in
            let site = Int(site)
            sites[site].isReached = true
            guard !sites[site].isMet, let object = value.openedObject else { return }
            if object.members.contains(where: { $0.key.text == sites[site].name }) {
                sites[site].isMet = true
                sites[site].others = []
            } else {
                for member in object.members where sites[site].others.count < Self.otherLimit {
                    sites[site].others.insert(member.key.text)
                }
            }
        }
    }
}
