import type { JsonObject } from '../../base/json.ts';
import type { DrawnStep } from './flow-layout.ts';
import { flowPicture } from './flow-picture.ts';
import { type Content, html, isolateText, Markup } from './markup.ts';

/** On paper, reports are black on white, and rows are not split across pages. */
const styles = `
:root{color-scheme:light dark;--back:#f5f6f8;--card:#fff;--line:#e3e6ea;--text:#1b1f26;--dim:#5c6470;--error:#b3261e;--errorback:#fce8e6;--warning:#8a5300;--warningback:#fdf0d8;--note:#0b6e6e;--noteback:#e3f2f1}
@media screen and (prefers-color-scheme:dark){:root{--back:#0f1216;--card:#171b21;--line:#2a3038;--text:#e8eaed;--dim:#9aa3af;--error:#ff8a80;--errorback:#3b1715;--warning:#f0b45c;--warningback:#35270f;--note:#5cc8c2;--noteback:#12302f}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1100px;padding:32px 24px;background:var(--back);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
h1{font-size:26px;line-height:1.2;margin:0}
h2{font-size:18px;margin:36px 0 12px;overflow-wrap:anywhere}
p{margin:4px 0;color:var(--dim)}
ul.sum{display:flex;flex-wrap:wrap;gap:12px;list-style:none;margin:20px 0;padding:0}
ul.sum li{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:10px 18px;min-width:120px}
ul.sum b{display:block;font-size:24px;line-height:1.2}
.table{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:12px}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:8px 14px;border-top:1px solid var(--line);overflow-wrap:anywhere}
thead th{border-top:0;font-size:12px;color:var(--dim);font-weight:600}
td:nth-child(1){white-space:nowrap;width:1%}
td:nth-child(2){min-width:130px}
td:nth-child(3){min-width:220px}
td:nth-child(4){min-width:200px}
td small,code{color:var(--dim)}
code{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
code span{display:inline-block}
.chip{border-radius:99px;padding:1px 10px;font-size:12px;font-weight:600}
.error{color:var(--error)}.warning{color:var(--warning)}.note{color:var(--note)}
.chip.error{background:var(--errorback)}.chip.warning{background:var(--warningback)}.chip.note{background:var(--noteback)}
.chart{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:12px 14px;overflow-x:auto}
.chart svg{display:block;max-width:100%;height:auto}
.chart+p{margin:12px 0}
.chart text{font-size:11px;fill:var(--dim)}
.chart .taken{fill:var(--note)}.chart .reached{fill:var(--dim)}.chart .lost{fill:var(--error)}
.flow text{font-size:12.5px;fill:var(--text);text-anchor:middle;dominant-baseline:central}
.flow .module{font-weight:600}
.flow rect{fill:var(--back);stroke:var(--line);stroke-width:1.2}
.flow .wire{fill:none;stroke:var(--dim);stroke-width:1.3}
.flow .tip{fill:var(--dim)}
.flow .key rect{fill:var(--card)}
.flow .reached rect{fill:var(--noteback);stroke:var(--note)}
.flow .missed rect{fill:var(--errorback);stroke:var(--error);stroke-dasharray:5 3}
td.figure,th.figure{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;min-width:0}
@media screen and (max-width:640px){body{padding:20px 14px}thead{display:none}tr,td{display:block}tr{border-top:1px solid var(--line);padding:8px 0}tr:first-child{border-top:0}td,td:nth-child(1){border:0;padding:2px 14px;width:auto}td.figure{display:flex;justify-content:space-between}td.figure:before{content:attr(data-head);color:var(--dim)}.chart svg{max-width:none}}
@media print{body{max-width:none;padding:0;background:#fff;font-size:10pt}.table,.chart,ul.sum li{border-color:#bbb}tr,.chart,ul.sum li{break-inside:avoid}thead{display:table-header-group}h2{break-after:avoid}.chip{border:1px solid currentColor}}
`;

export function reportPage({
  title,
  lead,
  sums,
  body,
}: {
  readonly title: string;
  readonly lead: string;
  readonly sums: readonly { readonly figure: string; readonly word: string; readonly look?: string }[];
  readonly body: readonly Content[];
}): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title} · telctl</title>
<style>${new Markup(styles)}</style>
</head>
<body>
<h1>${title}</h1>
<p>${lead}</p>
<ul class="sum">${sums.map(({ figure, word, look = '' }) => html`<li><b class="${look}">${figure}</b>${word}</li>`)}</ul>
${body}
</body>
</html>
`.text;
}

export const reportTable = (
  label: string,
  heads: readonly string[],
  rows: readonly Markup[],
  figuresFrom = heads.length,
): Markup =>
  html`<div class="table" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${heads.map(
    (head, index) => html`<th scope="col"${index >= figuresFrom && html` class="figure"`}>${head}</th>`,
  )}</tr></thead><tbody>${rows}</tbody></table></div>`;

export interface CallTotals {
  readonly by: string;
  readonly zone: string;
  readonly when: string;
  readonly end: string;
  readonly rows: readonly JsonObject[];
  readonly sums: JsonObject;
}

const height = 180;
const top = 12;
const foot = 34;

/** Calls may have no user, cause or carrier. */
const rowKey = ({ key }: JsonObject): string => String(key || '(none)');

/** Draws a bar for each row: answered calls at the bottom, then calls that reached a service, then missed calls. */
function chart(rows: readonly JsonObject[]): Markup {
  const most = Math.max(1, ...rows.map(({ calls }) => Number(calls)));
  const step = Math.max(14, Math.min(60, Math.floor(960 / Math.max(1, rows.length))));
  const width = Math.max(320, rows.length * step + 40);
  const each = Math.ceil(rows.length / Math.max(1, Math.floor(width / 80)));
  const barHeight = (calls: number): number => Math.round((calls / most) * (height - top - foot));
  const bars = rows.map((row, index) => {
    const x = 36 + index * step;
    const reachedService = Number(row.messages ?? 0) + Number(row.reached_service);
    const [answered = 0, reached = 0, missed = 0] = [
      Number(row.answered),
      reachedService,
      Number(row.missed),
    ].map(barHeight);
    const base = height - foot;
    const bar = (look: string, below: number, tall: number): Markup =>
      html`<rect class="${look}" x="${x}" y="${base - below - tall}" width="${step - 4}" height="${tall}"/>`;
    const label =
      index % each === 0
        ? html`<text x="${x + (step - 4) / 2}" y="${height - 16}" text-anchor="middle">${rowKey(row).slice(0, 14)}</text>`
        : '';
    return html`<g><title>${rowKey(row)}: ${String(row.calls)}, ${String(row.missed)} missed</title>${bar('taken', 0, answered)}${bar('reached', answered, reached)}${bar('lost', answered + reached, missed)}</g>${label}`;
  });
  return html`<div class="chart" tabindex="0" role="group" aria-label="Chart"><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Calls by how they ended"><text x="0" y="${top + 8}">${most}</text><text x="0" y="${height - foot}">0</text>${bars}</svg></div>`;
}

const formatClock = (seconds: number): string =>
  `${Math.floor(seconds / 3600)}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;

const heads = 'Calls,Answered,Messages,Service,Missed,Unknown,Longest ring,Talk,Cost'.split(',');

function sumRow(sums: JsonObject): Markup {
  const { calls, answered, messages, reached_service: reached, missed, unknown } = sums;
  const { longest_ring_seconds: ring, talk_seconds: talk, cost } = sums;
  const counts = [calls, answered, messages ?? 'unknown', reached, missed, unknown];
  const figures = [...counts, `${ring} s`, formatClock(Number(talk)), Number(cost).toFixed(2)];
  return html`<tr><td>${isolateText(rowKey(sums))}</td>${figures.map((each, index) => html`<td class="figure" data-head="${heads[index]}">${String(each)}</td>`)}</tr>`;
}

export function callReportPage({ by, zone, when, end, rows, sums }: CallTotals): string {
  const title = by.charAt(0).toUpperCase() + by.slice(1);
  return reportPage({
    title: `Calls by ${by}`,
    lead: `${when} UTC; days and hours by the clocks of ${zone}`,
    sums: [
      { figure: String(sums.calls), word: 'calls' },
      { figure: String(sums.answered), word: 'answered', look: 'note' },
      { figure: String(sums.messages ?? 'unknown'), word: 'left a message' },
      { figure: String(sums.reached_service), word: 'reached a service' },
      { figure: String(sums.missed), word: 'missed', look: 'error' },
      { figure: formatClock(Number(sums.talk_seconds)), word: 'talked' },
      { figure: Number(sums.cost).toFixed(2), word: 'cost' },
    ],
    body: [
      chart(rows),
      html`<p>${isolateText(end)}</p>`,
      reportTable('Calls', [title, ...heads], rows.map(sumRow), 1),
    ],
  });
}

interface CoveredStep {
  readonly label: string;
  readonly reached: boolean;
  readonly branches: readonly { readonly key: string; readonly step: CoveredStep }[];
}

export interface CoverageReport {
  readonly when: string;
  readonly percent: number;
  readonly results: readonly { readonly name: string; readonly result: string; readonly got: string }[];
  readonly flows: readonly {
    readonly name: string;
    readonly numbers: readonly string[];
    readonly start: CoveredStep | undefined;
  }[];
  readonly missed: readonly string[];
}

const toDrawnStep = ({ label, reached, branches }: CoveredStep): DrawnStep => {
  const [name = '', ...about] = label.split(' ');
  return {
    name,
    about: about.join(' '),
    mark: reached ? 'reached' : 'missed',
    branches: branches.map(({ key, step }) => ({ key, step: toDrawnStep(step) })),
  };
};

const section = ({ name, numbers, start }: CoverageReport['flows'][number]): Markup => {
  const begin: DrawnStep = {
    name,
    about: numbers.join(', '),
    branches: start ? [{ key: '_', step: toDrawnStep(start) }] : [],
  };
  const untouched = start && !start.reached ? html`<p class="warning">No case calls it.</p>` : '';
  return html`<section><h2>${isolateText(name)}</h2>${untouched}<div class="chart" tabindex="0" role="group" aria-label="${name}">${flowPicture(name, begin)}</div></section>`;
};

const looks: Readonly<Record<string, string>> = { pass: 'note', fail: 'error' };

const caseRow = ({ name, result, got }: CoverageReport['results'][number]): Markup =>
  html`<tr><td><span class="chip ${looks[result] ?? 'warning'}">${result}</span></td><td>${isolateText(name)}</td><td>${isolateText(got)}</td></tr>`;

export function coveragePage({ when, percent, results, flows, missed }: CoverageReport): string {
  const count = (wanted: string): string => String(results.filter(({ result }) => result === wanted).length);
  return reportPage({
    title: 'Calls that are tested',
    lead: `${when} UTC`,
    sums: [
      { figure: `${percent}%`, word: 'of steps, branches and rules reached' },
      { figure: count('pass'), word: 'pass', look: 'note' },
      { figure: count('fail'), word: 'fail', look: 'error' },
      { figure: count('inconclusive'), word: 'inconclusive', look: 'warning' },
    ],
    body: [
      missed.length > 0 &&
        html`<h2>Not reached</h2><ul>${missed.map((each) => html`<li>${isolateText(each)}</li>`)}</ul>`,
      flows.map(section),
      html`<h2>Cases</h2>${reportTable('Cases', ['Result', 'Case', 'Ends in'], results.map(caseRow))}`,
    ],
  });
}
