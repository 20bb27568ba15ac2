import PlugCore
import PlugManifest

// A search of which the source gives no more.
extension StreamWalk {
    /// Goes on with a search that gives what follows.
    ///
    /// - Returns: `false` if nobody knows what follows, and the pass has to start over.
    mutating func goesOn(after refusal: SearchFull, _ cost: inout FetchedPage.Cost) async throws -> Bool {
        if try await hasShifted(&cost) {
            // What was pulled onto a page that was read is on no later one.
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

    /// Whether the last page is not as it was when it was read, where pages have numbers: the page behind it, which would show
    /// whether they join, is not to be had.
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
