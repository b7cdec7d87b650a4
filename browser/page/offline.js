// Keeps every file of the page, so that it works without a network after the first visit.

const FILES = "smallcity-VERSION";

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(fetch("files.json").then(async (list) => (await caches.open(FILES)).addAll(await list.json())));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forget().then(() => self.clients.claim()));
});

async function forget() {
  const names = await caches.keys();
  const stale = names.filter((name) => name.startsWith("smallcity-") && name !== FILES);
  await Promise.all(stale.map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const found = caches.match(event.request, { ignoreSearch: true, cacheName: FILES });
  event.respondWith(found.then((kept) => kept ?? fetch(event.request)));
});
