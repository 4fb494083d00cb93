import { type Content, html } from '../../page/html/markup.ts';

/** How the profile "sandbox" gets to an account: by itself, or by naming it. */
export interface Reach {
  /** What `--account` is given; left out for the account that the profile acts on. */
  readonly account?: string;
}

/** A word as a shell takes it; `undefined` where none could be copied safely: it has line breaks or unseen letters. */
function shellWord(word: string): string | undefined {
  if (/^[\w.@%:,/+=*-]+$/.test(word)) return /^[\w.@%:,/+=-]+$/.test(word) ? word : `'${word}'`;
  return /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : undefined;
}

/**
 * The line that gets what the page shows, to be copied; nothing where the profile does not reach it or a word cannot
 * stand in a line.
 */
export function commandLine(reach: Reach | undefined, words: readonly string[]): Content {
  if (!reach) return undefined;
  const account = reach.account === undefined ? [] : ['--account', reach.account];
  const safe = ['telctl', ...account, ...words].map(shellWord);
  if (safe.includes(undefined)) return undefined;
  return html`<p class="line"><span>In a terminal</span><code tabindex="0">${safe.join(' ')}</code></p>`;
}
