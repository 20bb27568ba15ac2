package import CurlTransport
package import PlugCore

/// The settings of a host: every key of `plughost.yaml` with its value and its origin.
package struct HostSettings: Sendable, Equatable {
    /// Where to listen.
    package var listen: Setting<ListenAddress>
    /// The host's public address, without a path; `nil` if that is the listen address, on a port that is not known yet.
    package var publicURL: Setting<HTTPURL?>
    /// The networks of the servers in front of this one whose X-Forwarded-For header is trusted.
    package var trustedProxies: Setting<[CIDR]>
    /// The state folder.
    package var state: Setting<String>
    /// The plugs that people can connect, for `PlugPaths.manifests`; `nil` for the bundled plugs.
    package var plugs: Setting<[String]?>
    /// The OAuth clients.
    package var clients: HostClients
    /// How PDAs are reached.
    package var pda: PDA
    /// How the services that plugs read are reached.
    package var source: Source
    /// What plugs' programs may do.
    package var programs: Programs
    /// The limits on its use of this machine.
    package var limits: HostLimits
    /// When connections without their own schedule are synced.
    package var schedule: Schedule
    /// How long records of past events are kept.
    package var retention: Retention
    /// Who is notified of what a person must do, by name.
    package var notify: [Setting<NotifyTarget>]
    /// Who may operate the host.
    package var operators: Setting<[String]>
    /// The files that hold the settings or their secrets: off limits to anything else.
    package var privateFiles: [String] = []

    /// How PDAs are reached.
    package struct PDA: Sendable, Equatable {
        /// Private networks that they may be in.
        package var networks: Setting<[CIDR]>
        /// A directory whose applications are listed as well.
        package var directoryUpstream: Setting<HTTPURL?>
    }

    /// How the services that plugs read are reached.
    package struct Source: Sendable, Equatable {
        /// Private networks that they may be in.
        package var networks: Setting<[CIDR]>
    }

    /// What plugs' programs may do.
    package struct Programs: Sendable, Equatable {
        /// Plugs whose programs run without a sandbox.
        package var trust: Setting<[String]>
        /// Folders that all programs may read.
        package var folders: Setting<[String]>
    }

    /// When connections without their own schedule are synced.
    package struct Schedule: Sendable, Equatable {
        /// The interval.
        package var every: Setting<Duration>
        /// Hours in which no sync begins, such as `22:00-06:00`.
        package var quiet: Setting<String?>
        /// The time zone of those hours, by its IANA name.
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
            /// The runs within this age.
            case age(Duration)
            /// This number of the newest runs.
            case count(Int)
        }
    }
}
