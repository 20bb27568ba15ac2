/// The only script of a host's pages: it shows a run's progress without reloading the page.
enum LiveScript {
    static let path = "/assets/live.js"

    /// It only inserts pieces of the page that the host has built and escaped.
    static let text = """
        "use strict";
        const place = document.getElementById("live");
        const state = document.getElementById("live-state");
        const source = new EventSource(place.dataset.events);
        source.addEventListener("run", event => { place.innerHTML = event.data; });
        source.addEventListener("state", event => { state.textContent = event.data; });
        // Closed for good: too many watchers, or the login has ended. The page says which.
        source.addEventListener("error", () => {
          if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 10000);
        });

        """
}
