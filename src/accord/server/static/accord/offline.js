/**
 * The worker: keeps the page of the rater who is in, and the files it needs, for a reload without a line.
 * STATIC and ASSETS are written above by the server, so that other files make another worker.
 */

const FILES = `accord-files:${STATIC}`;
/** Where this study begins: a server of many has each below an address of its own. */
const BASE = new URL(".", self.location).pathname;
const PAGES = `accord-pages:${BASE}`;
const KEPT = ["work", "questionnaire"].map((name) => BASE + name);
const TO_WORK = ["", "welcome"].map((name) => BASE + name);
const DOORS = ["i/", "join/", "setup/", "organiser"].map((name) => BASE + name);
const WORK = `${BASE}work`;
const LONGEST = 7 * 24 * 60 * 60 * 1000;

async function install() {
  const files = await caches.open(FILES);
  await files.addAll(ASSETS);
  await self.skipWaiting();
}

/** Pages of an older version need files that are gone; those that are open now are fetched anew. */
async function activate() {
  const old = (await caches.keys()).filter((name) => name === PAGES || (name.startsWith("accord-files:") && name !== FILES));
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
  const open = (await self.clients.matchAll({ type: "window" })).map(({ url }) => new URL(url).pathname);
  await Promise.all(KEPT.filter((path) => open.includes(path)).map((path) => page(new Request(path))));
}

async function file(request) {
  const files = await caches.open(FILES);
  return (await files.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** From the server where it answers; a page that is refused or leads elsewhere is not kept any longer. */
async function page(request) {
  const path = new URL(request.url).pathname;
  const answer = await fetch(request).catch(() => null);
  if (!answer || answer.status >= 500) return (await kept(path)) ?? answer ?? Response.error();
  if (answer.status === 200) await (await caches.open(PAGES)).put(path, answer.clone());
  else await caches.delete(PAGES);
  return answer;
}

async function kept(path) {
  const found = await (await caches.open(PAGES)).match(path, { ignoreVary: true });
  return found && Date.now() - Date.parse(found.headers.get("Date")) < LONGEST ? found : undefined;
}

async function toWork(request) {
  const answer = await fetch(request).catch(() => null);
  return answer ?? ((await kept(WORK)) ? Response.redirect(WORK) : Response.error());
}

/** Whoever comes in by a door may be somebody else: nothing of the one before is shown again. */
async function door(request) {
  const answer = await fetch(request);
  if (answer.type === "opaqueredirect" || answer.ok) await caches.delete(PAGES);
  return answer;
}

function onFetch(event) {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (ASSETS.includes(pathname)) event.respondWith(file(request));
  else if (request.mode !== "navigate") return;
  else if (KEPT.includes(pathname)) event.respondWith(page(request));
  else if (TO_WORK.includes(pathname)) event.respondWith(toWork(request));
  else if (DOORS.some((start) => pathname.startsWith(start))) event.respondWith(door(request));
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", onFetch);
