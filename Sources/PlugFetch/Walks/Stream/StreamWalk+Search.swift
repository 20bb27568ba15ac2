import PlugCore
import PlugManifest

// A search that the source cuts short.
extension StreamWalk {
    /// Continues with a search for the rest.
    ///
    /// - Returns: `false` if the rest is not known, and the pass has to start over.
    mutating func goesOn(after refusal: SearchFull, _ cost: inout FetchedPage.Cost) async throws -> Bool {
        if try await hasShifted(&cost) {
            // Records pulled onto a page already read are on no later one.
            pass.goBack(to: pass.pager.rereading)
        } else {
            do throws(Pass.SearchFault) { try pass.resetPage() } catch {
                if error == .unknown { return false }
                throw PagingMessages.error(error, refusal.error, plan.stream)
            }
            searches = (0, 0)
        }
        return true
    }

    /// Whether the last page has changed since it was read, if pages have numbers: the page after it, which would show whether
    /// they join, is not available.
    private mutating func hasShifted(_ cost: inout FetchedPage.Cost) async throws -> Bool {
        guard plan.marks != nil, plan.stream.since?.order != Since.Order.none, let tail = pass.tail,
            case .number = pass.pager.place,
            let earlier = pass.pager.back(1 + tail.empties)
        else { return false }
        do {
            let again = try await fetch(earlier, Handling(isResuming: true))
            cost += again.answer.cost
            if tail.isSame(as: again.marks) { return false }
        } catch let refusal as PlaceRefused { cost += refusal.cost } catch let refusal as SearchFull {
            cost += refusal.cost
        }
        searches.count += 1
        unrest.changes += 1
        guard searches.count > Self.searchLimit else { return true }
        pass.noteGap()
        return false
    }
}
