import type { JsonObject } from '../../base/json.ts';
import { html, isolated, type Markup } from './html/markup.ts';
import { reportPage } from './html/report-page.ts';

/** Sums of calls as a page: what they are counted by, a row for each, and those of all. */
export interface CallReport {
  readonly by: string;
  readonly zone: string;
  readonly when: string;
  /** The sentence below the table. */
  readonly end: string;
  readonly rows: readonly JsonObject[];
  readonly sums: JsonObject;
}

const height = 180;
const top = 12;
const foot = 34;

/** Calls may have no user, cause or carrier. */
const rowKey = ({ key }: JsonObject): string => String(key || '(none)');

/** A bar for each row, answered calls below and missed ones above. */
function chart(rows: readonly JsonObject[]): Markup {
  const most = Math.max(1, ...rows.map(({ calls }) => Number(calls)));
  const step = Math.max(14, Math.min(60, Math.floor(960 / Math.max(1, rows.length))));
  const width = Math.max(320, rows.length * step + 40);
  const each = Math.ceil(rows.length / Math.max(1, Math.floor(width / 80)));
  const size = (calls: number): number => Math.round((calls / most) * (height - top - foot));
  const bars = rows.map((row, index) => {
    const x = 36 + index * step;
    const [answered, missed] = [size(Number(row.answered)), size(Number(row.missed))];
    const base = height - foot;
    const label =
      index % each === 0
        ? html`<text x="${x + (step - 4) / 2}" y="${height - 16}" text-anchor="middle">${rowKey(row).slice(0, 14)}</text>`
        : '';
    return html`<g><title>${rowKey(row)}: ${String(row.calls)}, ${String(row.missed)} missed</title><rect class="taken" x="${x}" y="${base - answered}" width="${step - 4}" height="${answered}"/><rect class="lost" x="${x}" y="${base - answered - missed}" width="${step - 4}" height="${missed}"/></g>${label}`;
  });
  return html`<div class="chart" tabindex="0" role="group" aria-label="Chart"><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Calls, answered and missed"><text x="0" y="${top + 8}">${most}</text><text x="0" y="${height - foot}">0</text>${bars}</svg></div>`;
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 3600)}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;

const heads = ['Calls', 'Answered', 'Missed', 'Longest ring', 'Talk', 'Cost'];

/** On a narrow screen each figure stands beside its head. */
function row(sums: JsonObject): Markup {
  const { calls, answered, missed, longest_ring_seconds: ring, talk_seconds: talk, cost } = sums;
  const figures = [calls, answered, missed, `${ring} s`, clock(Number(talk)), Number(cost).toFixed(2)];
  return html`<tr><td>${isolated(rowKey(sums))}</td>${figures.map((each, index) => html`<td class="figure" data-head="${heads[index]}">${String(each)}</td>`)}</tr>`;
}

/** The report on calls as one file that loads nothing and prints well. Text of the service is escaped. */
export function callReportPage({ by, zone, when, end, rows, sums }: CallReport): string {
  const title = by.charAt(0).toUpperCase() + by.slice(1);
  return reportPage({
    title: `Calls by ${by}`,
    lead: `${when} UTC; days and hours by the clocks of ${zone}`,
    sums: [
      { figure: String(sums.calls), word: 'calls' },
      { figure: String(sums.answered), word: 'answered', look: 'note' },
      { figure: String(sums.missed), word: 'missed', look: 'error' },
      { figure: clock(Number(sums.talk_seconds)), word: 'talked' },
      { figure: Number(sums.cost).toFixed(2), word: 'cost' },
    ],
    body: [
      chart(rows),
      html`<p>${isolated(end)}</p>`,
      html`<div class="table" tabindex="0" role="group" aria-label="Calls"><table><thead><tr><th scope="col">${title}</th>${heads.map((head) => html`<th scope="col" class="figure">${head}</th>`)}</tr></thead><tbody>${rows.map(row)}</tbody></table></div>`,
    ],
  });
}
