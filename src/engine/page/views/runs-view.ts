import { html, type Markup, own } from '../html/markup.ts';
import type { ReadRun } from '../reader.ts';
import { clockOf } from './log-view.ts';

/** What telctl changed, newest first. `now` is the moment of the page, ISO 8601. */
export const runsView = (runs: readonly ReadRun[], now: string): Markup =>
  html`<h1>Changes</h1><p class="facts">What telctl changed, newest first, as its log has it. Changes that others made are not known here.</p>${
    runs.length === 0
      ? html`<p class="nothing">Nothing was changed yet.</p>`
      : html`<div class="scroll" tabindex="0" role="group" aria-label="Changes"><table><thead><tr>${[
          'Id',
          'When',
          'Who',
          'Account',
          'What',
          'Changed',
        ].map((header) => html`<th scope="col">${header}</th>`)}</tr></thead><tbody>${runs.map(
          ({ id, at, who, account, line, changed, note, trouble }) =>
            html`<tr><td>${id}</td><td>${clockOf(at, now)}</td><td>${own(who)}</td><td>${own(account)}</td><td class="wide"><code>${own(line)}</code>${note !== undefined && html`<span class="dim">${own(note)}</span>`}</td><td class="wide">${own(changed)}${trouble !== undefined && html`<span class="note">${own(trouble)}</span>`}</td></tr>`,
        )}</tbody></table></div>`
  }<p class="line"><span>In a terminal</span><code tabindex="0">telctl log</code></p>`;
