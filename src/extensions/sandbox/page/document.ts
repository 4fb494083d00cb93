import { createHash } from 'node:crypto';
import { type Content, formatMoment, html, Markup } from '../../../engine/html/markup.ts';
import { styles } from '../../../engine/html/styles.ts';

/**
 * The script of the page. On an event, it fetches the page again and replaces the changed parts. It keeps focus,
 * typed text, scroll positions and open folds. A hidden tab waits until it is visible. After a restart of the
 * sandbox, it reconnects. The server escapes all text.
 */
const script = `
const part = (id, page = document) => page.getElementById(id);
const state = part('state');
const restMs = 300, againMs = 2000;
let paused = false, busy = false, again = false, late = false, offset = 0, stream;

const readClock = () => { offset = Number(part('clock').dataset.now) - Date.now(); };
const tick = () => {
  const now = new Date(Date.now() + offset);
  const shown = part('now');
  if (shown) shown.textContent = now.toISOString().slice(0, 19).replace('T', ' ');
};
const last = () => Number(document.querySelector('#feed li')?.dataset.sequence ?? 0);

function keep(before, after) {
  const all = (selector) => [before, after].map((each) => [...each.querySelectorAll(selector)]);
  const [open, folds] = all('details');
  folds.forEach((each, index) => { each.open = open[index]?.open ?? false; });
  const [typed, fields] = all('input[type=search]');
  fields.forEach((each, index) => { if (typed[index]) each.value = typed[index].value; });
}

function exchange(id, page) {
  const [before, after] = [part(id), part(id, page)];
  if (!before || !after) return;
  for (const name of ['now']) if (after.dataset[name]) before.dataset[name] = after.dataset[name];
  if (before.source === after.innerHTML) return;
  const source = after.innerHTML;
  keep(before, after);
  const focused = before.contains(document.activeElement) ? document.activeElement : null;
  const href = focused?.getAttribute('href');
  const field = focused?.matches('input') ? [focused.id, focused.selectionStart, focused.selectionEnd] : null;
  const scrolled = [...before.querySelectorAll('.scroll')].map((each) => [each.scrollLeft, each.scrollTop]);
  const top = before.scrollTop;
  before.replaceChildren(...after.childNodes);
  before.source = source;
  before.scrollTop = top;
  [...before.querySelectorAll('.scroll')].forEach((each, index) => { [each.scrollLeft, each.scrollTop] = scrolled[index] ?? [0, 0]; });
  if (href) [...before.querySelectorAll('a')].find((each) => each.getAttribute('href') === href)?.focus({ preventScroll: true });
  if (field) { const input = part(field[0]); input?.focus({ preventScroll: true }); input?.setSelectionRange(field[1], field[2]); }
}

async function refresh() {
  if (paused) return;
  if (document.hidden) { late = true; return; }
  if (busy) { again = true; return; }
  busy = true;
  const begun = performance.now();
  try {
    const seen = last();
    const reply = await fetch(location.href, { cache: 'no-store' });
    if (!reply.headers.get('content-type')?.startsWith('text/html')) return;
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    if (paused) return;
    for (const id of ['clock', 'accounts', 'content', 'feed']) exchange(id, page);
    document.title = page.title;
    for (const each of document.querySelectorAll('#feed li'))
      each.classList.toggle('new', Number(each.dataset.sequence) > seen && seen > 0);
    readClock();
    tick();
  } catch {
    // The sandbox has stopped. The stream reports it.
  } finally {
    setTimeout(() => {
      busy = false;
      if (again) { again = false; refresh(); }
    }, Math.max(restMs, 2 * (performance.now() - begun)));
  }
}

const say = (word, name) => { if (state.textContent !== word) { state.textContent = word; state.className = name; } };
const sayHow = () => say(paused ? 'paused' : 'live', paused ? 'paused' : 'live');
function listen() {
  stream?.close();
  stream = new EventSource('/?live');
  stream.addEventListener('open', () => { sayHow(); refresh(); });
  stream.addEventListener('changed', refresh);
  stream.addEventListener('error', () => {
    say('not running', 'gone');
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, againMs);
  });
}
document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  if (stream.readyState === EventSource.CLOSED) listen();
  if (late) { late = false; refresh(); }
});
addEventListener('pageshow', (event) => { if (event.persisted) listen(); });

const pause = part('pause');
pause.hidden = false;
pause.addEventListener('click', () => {
  paused = !paused;
  pause.setAttribute('aria-pressed', String(paused));
  if (stream.readyState === EventSource.OPEN) sayHow();
  if (!paused) refresh();
});
readClock();
tick();
setInterval(tick, 1000);
// Updates relative times even if there are no events.
setInterval(refresh, 60000);
listen();
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows only the page's own script and styles, and no framing by other pages. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(styles)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 22 22'%3E%3Crect width='22' height='22' rx='7' fill='%230b6e6e'/%3E%3Ccircle cx='11' cy='11' r='4' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";

export interface Badge {
  readonly text: string;
  readonly title?: string;
}

export interface PageFrame {
  /** The name after "telctl", such as `sandbox`. */
  readonly name: string;
  readonly facts: readonly Badge[];
  /** Unusual settings, which are highlighted. */
  readonly warnings: readonly Badge[];
  /** Explains which data these pages cannot show. */
  readonly unknown?: string;
  /**
   * Id of the profile's account, which is shown first. Without it, the first account below the topmost account is
   * shown first.
   */
  readonly home?: string;
}

/** The parts of a page. The script replaces each part by its id. */
export interface DocumentParts {
  readonly title: string;
  /** The time of the service, in Unix milliseconds. */
  readonly nowMs: number;
  readonly accounts: Content;
  readonly content: Content;
  /** The latest requests and deliveries. Without them, the page has no script. */
  readonly feed: Content;
  /** Links to views other than accounts. */
  readonly links: readonly { readonly text: string; readonly link: string; readonly isCurrent: boolean }[];
  /** True if the content is the log itself. The feed is then hidden. */
  readonly isLog: boolean;
}

const badge = ({ text, title }: Badge, className: string): Markup =>
  html`<span class="${className}"${title !== undefined && html` title="${title}"`}>${text}</span>`;

const liveFeed = (feed: Content): Markup =>
  html`<aside id="live" aria-label="Requests and deliveries"><div><h2>Live</h2><span id="state" role="status">as it was</span><button id="pause" type="button" aria-pressed="false" hidden>Pause</button></div><div id="feed" tabindex="0" role="group" aria-label="Last requests and deliveries">${feed}</div><p class="more"><a href="?log=all">All of them</a></p></aside>`;

export const document = (
  { name, facts, warnings, unknown }: PageFrame,
  { title, nowMs, accounts, content, feed, links, isLog }: DocumentParts,
): Markup =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · telctl ${name}</title>
<link rel="icon" href="${icon}">
<style>${new Markup(styles)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><a class="brand" href="?"><i></i>telctl <small>${name}</small></a>${facts.map((each) =>
    badge(each, 'badge plain'),
  )}<div id="clock" data-now="${nowMs}"><span id="now">${formatMoment(nowMs)}</span> UTC${warnings.map(
    (each) => badge(each, 'badge'),
  )}</div></header>
<div id="room"${(isLog || !feed) && html` class="wide"`}>
<nav id="side" aria-label="Accounts and log"><p class="head">Accounts</p><div id="accounts">${accounts}</div>${
    feed && html`<p class="also"><a href="?log=all">Requests and deliveries</a></p>`
  }${links.length > 0 && html`<p class="also">${links.map(({ text, link, isCurrent }) => html`<a href="${link}"${isCurrent && html` aria-current="page"`}>${text}</a>`)}</p>`}${
    unknown !== undefined && html`<p class="unknown">${unknown}</p>`
  }</nav>
<main id="content" tabindex="-1">${content}</main>
${feed && liveFeed(feed)}
</div>
<footer>Read-only, without secrets. Make changes with <code>telctl</code>.</footer>
${feed && html`<script>${new Markup(script)}</script>`}
</body>
</html>
`;
