// Around the page: the worker that answers it, kept while pages follow each other in a frame.

const worker = new Worker("worker.js", { type: "module" });
const waiting = new Map(); // what to do with the parts of each answer
let last = 0;

worker.onmessage = ({ data: { id, status, content } }) => {
  document.getElementById("starting")?.remove();
  waiting.get(id)?.(status, content);
};

function request(path, method, body, signal) {
  const id = ++last;
  const encoder = new TextEncoder();
  return new Promise((answered) => {
    let stream;
    const parts = new ReadableStream({
      start(controller) {
        stream = controller;
      },
      cancel: forget,
    });
    function forget() {
      waiting.delete(id);
      worker.postMessage({ id });
    }
    signal?.addEventListener("abort", () => {
      if (waiting.has(id)) stream.close();
      forget();
    });
    waiting.set(id, (status, content) => {
      if (status > 0) answered(new Response(parts, { status, headers: { "Content-Type": content } }));
      else if (status === 0) stream.enqueue(encoder.encode(content));
      else {
        stream.close();
        forget();
      }
    });
    worker.postMessage({ id, method, path, body, language: frame.contentDocument.documentElement.lang });
  });
}

window.smallcity = { request };

const frame = document.createElement("iframe");
frame.title = "Small City";
frame.src = `page.html${window.location.hash}`;
frame.addEventListener("load", () => {
  const { hash } = frame.contentWindow.location;
  window.history.replaceState(null, "", hash || window.location.pathname);
});
document.body.append(frame);
window.addEventListener("hashchange", () => {
  frame.contentWindow.location.hash = window.location.hash; // a link pasted over this page
});
navigator.serviceWorker?.register("offline.js");
