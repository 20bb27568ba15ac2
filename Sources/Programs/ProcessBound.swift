internal import CProgram

/// What limits the number of processes in a sandbox, besides the keeper that counts them from time to time.
package enum ProcessBound: Sendable, Equatable, CustomStringConvertible {
    /// The limit of the user who runs this process.
    case user
    /// A cgroup of its own: the limit of a user does not count for root.
    case cgroup
    /// The limit of a user without rights, as whom root runs it.
    case otherUser

    /// - Parameter value: What the keeper reports.
    init?(_ value: Int32) {
        switch UInt32(bitPattern: value) {
        case PLUGHOST_PROGRAM_BOUND_USER.rawValue: self = .user
        case PLUGHOST_PROGRAM_BOUND_CGROUP.rawValue: self = .cgroup
        case PLUGHOST_PROGRAM_BOUND_OTHER_USER.rawValue: self = .otherUser
        default: return nil
        }
    }

    package var description: String {
        switch self {
        case .user: "the limit of this user"
        case .cgroup: "a cgroup, because plughost is root"
        case .otherUser:
            "the limit of user 61100, as whom they run because plughost is root: they read only what everybody may read"
        }
    }
}
