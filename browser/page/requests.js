// In the static page, what would go to a server goes to the worker of the page around this one.

const { request } = window.parent.smallcity;
const toServer = (path) => String(path).startsWith("/api/");
const { fetch: fetchFile } = window;

window.fetch = (path, options = {}) =>
  toServer(path) ? request(path, options.method ?? "GET", options.body ?? "") : fetchFile(path, options);

window.EventSource = class {
  constructor(path) {
    this.cancel = new AbortController();
    this.read(path);
  }

  async read(path) {
    const response = await request(path, "GET", "", this.cancel.signal);
    if (!response.ok) return this.onerror?.();
    this.onopen?.();
    let text = "";
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const events = (text + part.value).split("\n\n");
      text = events.pop();
      for (const event of events) if (event.startsWith("data: ")) this.onmessage?.({ data: event.slice(6) });
    }
  }

  close() {
    this.cancel.abort();
  }
};

// A page is a word after "#": links and scripts that name a path lead there.

window.navigation.addEventListener("navigate", (event) => {
  const { origin, pathname } = window.location;
  const { url } = event.destination;
  const path = url.slice(origin.length);
  if (!url.startsWith(`${origin}/`) || path.startsWith(pathname) || !event.cancelable) return;
  event.preventDefault();
  if (toServer(path)) download(path, event.downloadRequest);
  else window.location.hash = path;
});

async function download(path, name) {
  const response = await request(path, "GET", "");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name || "smallcity";
  link.click();
}
