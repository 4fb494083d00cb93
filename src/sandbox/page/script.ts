/**
 * What the page does in the browser: it is told when something happened, fetches itself anew, and exchanges what
 * changed; focus, scroll positions and what is folded open stay. All text was escaped where the page was made.
 */
export const script = `
const part = (id, page = document) => page.getElementById(id);
const state = part('state');
let paused = false, busy = false, again = false, offset = 0;

const readClock = () => { offset = Number(part('clock').dataset.now) - Date.now(); };
const tick = () => {
  const now = new Date(Date.now() + offset);
  const shown = part('now');
  if (shown) shown.textContent = now.toISOString().slice(0, 19).replace('T', ' ');
};
const last = () => Number(document.querySelector('#feed li')?.dataset.sequence ?? 0);

function exchange(id, page) {
  const [before, after] = [part(id), part(id, page)];
  if (!before || !after) return;
  if (before.innerHTML !== after.innerHTML) {
    const focus = before.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
    const scrolled = [...before.querySelectorAll('.scroll')].map((each) => each.scrollLeft);
    const top = before.scrollTop;
    before.replaceChildren(...after.childNodes);
    before.scrollTop = top;
    [...before.querySelectorAll('.scroll')].forEach((each, index) => { each.scrollLeft = scrolled[index] ?? 0; });
    if (focus) [...before.querySelectorAll('a')].find((each) => each.getAttribute('href') === focus)?.focus({ preventScroll: true });
  }
  for (const name of ['now']) if (after.dataset[name]) before.dataset[name] = after.dataset[name];
}

async function refresh() {
  if (paused) return;
  if (busy) { again = true; return; }
  busy = true;
  try {
    const seen = last();
    const reply = await fetch(location.href, { cache: 'no-store' });
    if (!reply.ok) return;
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    for (const id of ['clock', 'accounts', 'content', 'feed']) exchange(id, page);
    for (const each of document.querySelectorAll('#feed li'))
      if (Number(each.dataset.sequence) > seen) each.classList.add('new');
    readClock();
    tick();
  } catch {
    // It has stopped; the stream says so.
  } finally {
    busy = false;
    if (again) { again = false; refresh(); }
  }
}

const say = (word, name) => { state.textContent = word; state.className = name; };
const stream = new EventSource('/?live');
stream.addEventListener('open', () => { say(paused ? 'paused' : 'live', paused ? 'paused' : 'live'); refresh(); });
stream.addEventListener('error', () => say('not running', 'gone'));
stream.addEventListener('changed', refresh);

const pause = part('pause');
pause.hidden = false;
pause.addEventListener('click', () => {
  paused = !paused;
  pause.setAttribute('aria-pressed', String(paused));
  say(paused ? 'paused' : 'live', paused ? 'paused' : 'live');
  if (!paused) refresh();
});
readClock();
tick();
setInterval(tick, 1000);
`;
