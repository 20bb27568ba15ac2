internal import LosslessJSON
internal import PDAWire

extension PDAServer {
    /// POST `/data-debit/KEY`
    func createDebit(_ key: String, _ request: ServedRequest) async throws -> Route.Reply {
        let proposal = try await DataDebitRequest(ShapeReader(request.json().root.value))
        return { [store, clock] caller in
            let now = clock.milliseconds
            do {
                let debit = try await store.createDebit(key, proposal, by: caller.user.number, at: now)
                return Answer(201, debit.json(at: now))
            } catch let failure as DataDebitFailure {
                throw Self.refusal(failure)
            }
        }
    }

    /// PUT `/data-debit/KEY`
    func updateDebit(_ key: String, _ request: ServedRequest) async throws -> Route.Reply {
        let proposal = try await DataDebitRequest(ShapeReader(request.json().root.value))
        return { [store, clock] caller in
            let now = clock.milliseconds
            do {
                return Answer(try await store.updateDebit(key, proposal, at: now).json(at: now))
            } catch let failure as DataDebitFailure {
                throw Self.refusal(failure)
            }
        }
    }

    /// The reference server's error; a stored bundle without a data debit violates a constraint that is not mapped.
    private static func refusal(_ failure: DataDebitFailure) -> any Error {
        let reason: String
        switch failure {
        case .exists: reason = "Data Debit with such ID already exists"
        case .bundleExists: reason = "Data bundle with such ID already exists"
        case .unknown: reason = "Data Debit being updated does not exist"
        case .bundleLinked(let name):
            reason = "Bundle \(name) already linked and could not be reassigned to a different data debit"
        case .bundleKept: return failure
        }
        return Refusal.application(400, "Bad Request", "Data Debit request malformed: \(reason)")
    }

    /// GET `/data-debit/KEY`
    func showDebit(_ key: String) -> Route.Reply {
        { [store, clock] caller in
            guard let debit = try await store.dataDebit(key) else { throw Self.debitUnknown(key) }
            return Answer(debit.json(at: clock.milliseconds))
        }
    }

    private static func debitUnknown(_ key: String) -> Refusal {
        .application(404, "Not Found", "Data Debit \(key) not found")
    }

    /// GET `/data-debit`
    var listDebits: Route.Reply {
        { [store, clock] caller in
            let now = clock.milliseconds
            return Answer(.array(try await store.dataDebits().map { $0.json(at: now) }))
        }
    }

    /// GET `/data-debit/KEY/enable`
    func enableDebit(_ key: String) -> Route.Reply {
        { [store, clock, statuses] caller in
            guard let debit = try await store.enableDebit(key) else { throw Self.debitMissing }
            statuses.clear()
            return Answer(debit.json(at: clock.milliseconds))
        }
    }

    /// GET `/data-debit/KEY/disable?atPeriodEnd=BOOL`
    func disableDebit(_ key: String, _ request: ServedRequest) throws -> Route.Reply {
        guard let atPeriodEnd = try request.boolean("atPeriodEnd") else {
            throw Refusal.badRequest("Missing parameter: atPeriodEnd")
        }
        return { [store, clock, statuses] caller in
            let now = clock.milliseconds
            guard let debit = try await store.disableDebit(key, atPeriodEnd: atPeriodEnd, at: now) else {
                throw Self.debitMissing
            }
            statuses.clear()
            return Answer(debit.json(at: now))
        }
    }

    private static let debitMissing = Refusal.application(
        400,
        "Not Found",
        "Data Debit with this ID does not exist"
    )

    /// GET `/data-debit/KEY/values`
    func debitValues(_ key: String) -> Route.Reply {
        { [store, clock] caller in
            guard let debit = try await store.dataDebit(key) else { throw Self.debitUnknown(key) }
            guard let permission = debit.active(at: clock.milliseconds) else {
                throw Refusal.application(400, "Bad Request", "Data Debit \(key) not enabled")
            }
            do {
                return try await Self.values(permission, store)
            } catch EvaluationFailure.cast {
                let cause = "Data Debit \(key): a field is not what its transformation reads"
                throw Refusal.application(400, "Data Debit Bundle malformed", cause)
            }
        }
    }

    private static func values(_ permission: DataDebit.Permission, _ store: SandboxStore) async throws -> Answer {
        var body: [UInt8] = [UInt8(ascii: "{")]
        var areMet = true
        if let conditions = permission.conditions {
            let results = try await store.evaluate(conditions.properties)
            areMet = results.allSatisfy { !$0.records.isEmpty }
            body += Array(#""conditions":"#.utf8)
            JSONValue.object(JSONObject(results.map { (JSONString($0.name), .bool(!$0.records.isEmpty)) }))
                .write(to: &body)
            body.append(UInt8(ascii: ","))
        }
        body += Array(#""bundle":"#.utf8)
        write(areMet ? try await store.evaluate(permission.bundle.properties) : [], to: &body)
        body.append(UInt8(ascii: "}"))
        return Answer(body: body)
    }
}
