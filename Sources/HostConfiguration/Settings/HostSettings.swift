package import CurlTransport
package import PlugCore

/// What a host goes by: every key of `plughost.yaml` with its value and its origin.
package struct HostSettings: Sendable, Equatable {
    /// Where to listen.
    package var listen: Setting<ListenAddress>
    /// Where others reach the host, without a path; `nil` where that is where it listens, on a port that is not known yet.
    package var publicURL: Setting<HTTPURL?>
    /// Where the servers before this one are, whose word counts for whose a request is.
    package var trustedProxies: Setting<[CIDR]>
    /// The folder that remembers.
    package var state: Setting<String>
    /// What people can connect, for `PlugPaths.manifests`; `nil` for the bundled plugs.
    package var plugs: Setting<[String]?>
    /// The OAuth clients.
    package var clients: HostClients
    /// How PDAs are reached.
    package var pda: PDA
    /// How the services that plugs read are reached.
    package var source: Source
    /// What programs of plugs may do.
    package var programs: Programs
    /// How much of this machine it may use.
    package var limits: HostLimits
    /// When connections without their own schedule are synced.
    package var schedule: Schedule
    /// How long records of past events are kept.
    package var retention: Retention
    /// Who is told what needs a person, by name.
    package var notify: [Setting<NotifyTarget>]
    /// Who may operate the host.
    package var operators: Setting<[String]>
    /// The files that the settings stand in, and those that hold its secrets: nobody else's business.
    package var privateFiles: [String] = []

    /// How PDAs are reached.
    package struct PDA: Sendable, Equatable {
        /// Private networks in which they may be.
        package var networks: Setting<[CIDR]>
        /// A directory whose applications are listed too.
        package var directoryUpstream: Setting<HTTPURL?>
    }

    /// How the services that plugs read are reached.
    package struct Source: Sendable, Equatable {
        /// Private networks in which they may be.
        package var networks: Setting<[CIDR]>
    }

    /// What programs of plugs may do.
    package struct Programs: Sendable, Equatable {
        /// Plugs whose programs run without a sandbox.
        package var trust: Setting<[String]>
        /// Folders that all programs may read.
        package var folders: Setting<[String]>
    }

    /// When connections without their own schedule are synced.
    package struct Schedule: Sendable, Equatable {
        /// How often.
        package var every: Setting<Duration>
        /// Hours in which no sync begins, such as `22:00-06:00`.
        package var quiet: Setting<String?>
        /// The zone of those hours, by its IANA name.
        package var zone: Setting<String>
    }

    /// How long records of past events are kept.
    package struct Retention: Sendable, Equatable {
        /// The runs of a connection.
        package var runs: Setting<Runs>
        /// Dead letters; `nil` for ever.
        package var deadLetters: Setting<Duration?>
        /// Records that wait for their PDA; `nil` for ever.
        package var outbox: Setting<Duration?>

        /// Which runs are kept.
        package enum Runs: Sendable, Equatable {
            /// Those that are no older.
            case age(Duration)
            /// So many of the newest.
            case count(Int)
        }
    }
}
