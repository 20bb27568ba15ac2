import LosslessJSON

extension Machine {
    /// Backtracks to the `try` that an error belongs to, or rethrows it; `false` when nothing is left to do.
    mutating func raise(_ error: JQError) throws(JQError) -> Bool {
        guard case .thrown(let text) = error.kind else { throw placed(error) }
        let own = raised.take()
        let value = own ?? Value(text)
        if address < code.instructions.count, case .optional = code.instructions[address] { return try backtrack() }
        let failed = placed(error)
        while forks.count > 0 {
            let fork = forks.pop()
            switch fork.kind {
            case .trying(let keepsInput):
                restore(fork)
                if !keepsInput {
                    let input = popCell()
                    try push(value, left(input.path))
                }
                return true
            case .tried(let count): cut(to: count)
            default: break
            }
        }
        if own != nil {
            var thrown = Failure.thrown(try value.exported(meter))
            thrown.offset = failed.offset
            throw thrown
        }
        throw named(failed)
    }

    /// A key written in the program is not secret.
    private func named(_ error: JQError) -> JQError {
        guard let key = error.unquotedKey, code.constants.contains(where: { $0.asText == key }) else { return error }
        var error = error
        error.withoutValues = error.message
        return error
    }

    private func placed(_ error: JQError) -> JQError {
        guard error.offset == nil else { return error }
        var error = error
        let at = min(max(address - 1, 0), code.offsets.count - 1)
        error.offset = Int(code.offsets[at])
        return error
    }
}
