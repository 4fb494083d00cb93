import { counted } from '../../base/wording.ts';
import { html, Markup, own } from './html/markup.ts';

/** How much a finding matters: calls or events are lost, something is weak, or somebody should know of it. */
export type Severity = 'error' | 'warning' | 'note';

/** One thing that an audit found. */
export interface AuditFinding {
  /** Names the sort of finding, for scripts: `user-without-email`. */
  readonly code: string;
  readonly severity: Severity;
  /** `user`, `callflow`, `account` */
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  readonly sentence: string;
  /** The next command, without what leads it to another account. */
  readonly next: string;
}

/** An account of an audit. */
export interface AuditedAccount {
  readonly name: string;
  readonly findings: readonly AuditFinding[];
  /** What could not be read, a sentence each. */
  readonly missing: readonly string[];
}

const severities: readonly Severity[] = ['error', 'warning', 'note'];

/** Light and dark as the system is; black on white on paper, where no row is torn apart. */
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
@media screen and (max-width:640px){body{padding:20px 14px}thead{display:none}tr,td{display:block}tr{border-top:1px solid var(--line);padding:8px 0}tr:first-child{border-top:0}td,td:nth-child(1){border:0;padding:2px 14px;width:auto}}
@media print{body{max-width:none;padding:0;background:#fff;font-size:10pt}.table,ul.sum li{border-color:#bbb}tr,ul.sum li{break-inside:avoid}thead{display:table-header-group}h2{break-after:avoid}.chip{border:1px solid currentColor}}
`;

const row = ({ severity, kind, name, code, sentence, next }: AuditFinding): Markup =>
  html`<tr><td><span class="chip ${severity}">${severity}</span></td><td>${own(name)}<br><small>${kind}</small></td><td>${own(sentence)}<br><small>${code}</small></td><td><code>${next.split(' ').map((word) => html`<span>${word}</span> `)}</code></td></tr>`;

/** The findings of an account as a table, and what could not be read. */
export const findingsOf = ({ findings, missing }: AuditedAccount): Markup =>
  html`${missing.map((each) => html`<p class="warning">${own(each)}</p>`)}${
    findings.length > 0 &&
    html`<div class="table" tabindex="0" role="group" aria-label="Findings"><table><thead><tr><th scope="col">Severity</th><th scope="col">Object</th><th scope="col">Finding</th><th scope="col">Next</th></tr></thead><tbody>${findings.map(row)}</tbody></table></div>`
  }`;

const section = (account: AuditedAccount): Markup =>
  html`<section><h2>${own(account.name)}</h2><p>${counted(account.findings.length, 'finding')}</p>${findingsOf(account)}</section>`;

/** The whole report as one file that loads nothing. Text of the service is escaped. */
export function auditPage(accounts: readonly AuditedAccount[], when: string): string {
  const all = accounts.flatMap(({ findings }) => findings);
  const sum = (severity: Severity) => all.filter((each) => each.severity === severity).length;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Audit · telctl</title>
<style>${new Markup(styles)}</style>
</head>
<body>
<h1>Audit</h1>
<p>${counted(accounts.length, 'account')}, ${when}</p>
<ul class="sum">${severities.map((each) => html`<li><b class="${each}">${sum(each)}</b>${each}s</li>`)}</ul>
${accounts.map(section)}
</body>
</html>
`.text;
}
