import PlugCore
import PlugManifest

// Pages that shift between requests: each has to join on to the one before.
extension StreamWalk {
    /// How often the walk searches for a page that joins on to the one before, until the pass continues without.
    static let searchLimit = 20

    /// Whether the pages have numbers and the source changes so often that several changes may cancel out between a few requests:
    /// then a record may be missed without any page showing it.
    var isUnsettled: Bool {
        isNumbered && plan.marks != nil && unrest.changes >= 2 && unrest.changes * 8 >= unrest.requests
    }

    private var isNumbered: Bool { if case .number = pass.pager.place { true } else { false } }

    /// The page joined on to the one before, to be confirmed by the next page: each page is read a second time after the one that
    /// follows it. The last one has no successor, and is requested twice.
    ///
    /// One deletion and one addition that cancel out, before and after a page is read, take a record past it. The page itself
    /// shows that on the second look.
    mutating func confirmed(
        _ fetched: Fetched,
        after tail: PageTail,
        _ cost: inout FetchedPage.Cost
    ) async throws -> Fetched {
        let pager = pass.pager
        var page = try await joined(fetched, to: tail, &cost)
        for _ in 0..<Self.searchLimit {
            guard isNumbered, pass.pager.place == pager.place, endsPass(page) else { return page }
            if page.marks.isEmpty, !mayBeFull(tail) { return page }
            let again: Fetched
            do { again = try await fetch(pager, Handling(isResuming: true)) } catch let refusal as PlaceRefused {
                // There are fewer pages than before: the next run continues from the previous page.
                cost += refusal.cost
                break
            } catch let error as PlugError where error.exit == .tryLater {
                plan.exchange.warnOnce(plan.stream.name, .pagesUnjoined, "\(page.name): \(error.message)")
                break
            }
            if confirms(page, again, after: tail) {
                cost += again.answer.cost
                return page
            }
            cost += page.answer.cost
            unrest.changes += 1
            page = try await joined(again, to: tail, &cost)
        }
        pass.noteGap()
        return page
    }

    /// Whether the second look at the last page shows that none of its records came late.
    private func confirms(_ page: Fetched, _ again: Fetched, after tail: PageTail) -> Bool {
        guard let end = PageTail(page.marks, after: tail) else { return again.marks.isEmpty }
        // Records added after it belong to the next pass.
        return again.marks.starts(with: page.marks) || end.isPushedDown(0, on: again.marks, isFirst: false)
    }

    /// Whether additions in front push records of the page onto the one after it.
    private func mayBeFull(_ tail: PageTail) -> Bool {
        let count = tail.last + 1
        return pass.pager.paging?.mayBeFull(count) ?? RoundSize.contains(count)
    }

    /// Whether the pass would end with this page.
    private func endsPass(_ page: Fetched) -> Bool {
        var pass = pass
        return switch pass.take(page.page.facts, nil, tail: nil).outcome {
        case .complete, .nextWindow, .short, .fewPages: true
        case .goesOn, .stuck, .broken: false
        }
    }

    /// The page itself if it joins on to the one before; otherwise the page to continue at after a shift.
    ///
    /// Deletions on pages already read have pulled records onto them from this one: they are now on the page before, or further
    /// up. Going back until one of the last records read occurs finds all of them.
    mutating func joined(
        _ fetched: Fetched,
        to tail: PageTail,
        _ cost: inout FetchedPage.Cost
    ) async throws -> Fetched {
        if tail.isCut, tail.isMet(on: fetched.marks) { return joined(fetched) }
        let pushed = tail.pushed(onto: fetched.marks)
        if fetched.joins || (pushed != nil && !isNumbered) { return joined(fetched) }
        if pushed != nil { unrest.changes += 1 }
        let (next, handling) = (pass.pager, Handling(isResuming: true))
        var distance = 1 + tail.empties
        var isFirstLook = true
        while let earlier = next.back(distance) {
            var again: Fetched
            do { again = try await fetch(earlier, handling) } catch let refusal as PlaceRefused {
                // There are fewer pages than before.
                cost += refusal.cost
                (isFirstLook, distance) = (false, distance.multipliedReportingOverflow(by: 2).partialValue)
                if earlier.isAtStart { break }
                continue
            } catch let error as PlugError where error.exit == .tryLater {
                // The source takes no more requests for now: the page is worth more than the proof.
                plan.exchange.warnOnce(plan.stream.name, .pagesUnjoined, "\(fetched.name): \(error.message)")
                pass.noteGap()
                return fetched
            }
            if tail.isCut, isFirstLook, tail.isMet(on: again.marks) {
                // Nothing need have shifted: the page size has changed, and this is the page with the last record.
                cost += fetched.answer.cost
                return continued(at: earlier, again)
            }
            if let pushed, isFirstLook, tail.isPushedDown(pushed, on: again.marks, isFirst: earlier.isAtStart) {
                cost += again.answer.cost
                return joined(fetched)
            }
            if isFirstLook, tail.isSame(as: again.marks) {
                cost += again.answer.cost
                // The pages overlap; the record is in its place but was not on the page: the source has two versions of the list.
                return overlap > 0 && tail.last > 0 ? try await askedAgain(fetched, tail, &cost) : joined(fetched)
            }
            if tail.isMet(on: again.marks) || earlier.isAtStart {
                cost += fetched.answer.cost
                // One more page: what has moved here may hide that this page did not follow on from the one before. Only once, so
                // that a source that always moves is read to its end.
                if isNumbered, searches.count == 0, let further = earlier.back(1) {
                    cost += again.answer.cost
                    return shifted(to: further, try await fetch(further, handling), fetched)
                }
                return shifted(to: earlier, again, fetched)
            }
            cost += again.answer.cost
            (isFirstLook, distance) = (false, distance.multipliedReportingOverflow(by: 2).partialValue)
        }
        return joined(fetched)
    }

    /// Requests a page again that does not join on although nothing has shifted: services with several copies of a list may
    /// answer from one that is behind.
    private mutating func askedAgain(
        _ fetched: Fetched,
        _ tail: PageTail,
        _ cost: inout FetchedPage.Cost
    ) async throws -> Fetched {
        var fetched = fetched
        for _ in 0..<2 {
            cost += fetched.answer.cost
            // One more record, as one may have been deleted since.
            fetched = try await fetch(pass.pager, Handling(isResuming: true), overlap: overlap + 1)
            if fetched.joins || tail.pushed(onto: fetched.marks) != nil { return joined(fetched) }
        }
        plan.exchange.warnOnce(
            plan.stream.name,
            .pagesUnjoined,
            "\(fetched.name): the page does not follow on from the one before, although nothing has shifted"
        )
        pass.noteGap()
        return fetched
    }

    private mutating func joined(_ fetched: Fetched) -> Fetched {
        if pass.pager.seen > searches.furthest { searches = (0, pass.pager.seen) }
        return fetched
    }

    /// Continues at an earlier page, or at the page itself if that failed too often.
    private mutating func shifted(to earlier: Pager, _ again: Fetched, _ fetched: Fetched) -> Fetched {
        searches = (searches.count + 1, max(searches.furthest, pass.pager.seen))
        unrest.changes += 1
        if searches.count > Self.searchLimit {
            pass.noteGap()
            return fetched
        }
        plan.exchange.warnOnce(
            plan.stream.name,
            .pagesShifted,
            "\(fetched.name): pages shifted while they were read; reading continues again from \(again.name)"
        )
        return continued(at: earlier, again)
    }

    private mutating func continued(at earlier: Pager, _ page: Fetched) -> Fetched {
        pass.goBack(to: earlier)
        var page = page
        page.mark = pass.json
        return page
    }
}
