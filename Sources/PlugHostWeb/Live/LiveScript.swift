/// The one script of a host's pages: it shows a run as it continues, where the page would otherwise be loaded again and again.
enum LiveScript {
    static let path = "/assets/live.js"

    /// What it puts into the page is a piece of the page, made and escaped by the host.
    static let text = """
        "use strict";
        const place = document.getElementById("live");
        const state = document.getElementById("live-state");
        const source = new EventSource(place.dataset.events);
        source.addEventListener("run", event => { place.innerHTML = event.data; });
        source.addEventListener("state", event => { state.textContent = event.data; });
        // Closed for good: too many watch, or the log-in has ended. The page says which.
        source.addEventListener("error", () => {
          if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 10000);
        });

        """
}
