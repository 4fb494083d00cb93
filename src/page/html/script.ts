/**
 * The page in the browser: it is told when something happened, fetches itself anew, and exchanges what
 * changed; focus, what was typed, scroll positions and what is folded open stay. A tab that nobody sees fetches nothing
 * until it is seen again, and a sandbox that was started anew is found again. All text was escaped where the page was made.
 */
export const script = `
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
    // It has stopped; the stream says so.
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
// What is a while ago by now is said so where nothing else happens, too.
setInterval(refresh, 60000);
listen();
`;
