import { html, Markup } from './markup.ts';

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
.chart{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:12px 14px;overflow-x:auto}
.chart svg{display:block;max-width:100%;height:auto}
.chart+p{margin:12px 0}
.chart text{font-size:11px;fill:var(--dim)}
.chart .taken{fill:var(--note)}.chart .lost{fill:var(--error)}
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

export interface ReportSum {
  readonly figure: string;
  readonly word: string;
  /** Class that colours it. */
  readonly look?: string;
}

/** A report as one file that loads nothing: title, a line below it, sums, and what follows. */
export function reportPage({
  title,
  lead,
  sums,
  body,
}: {
  readonly title: string;
  readonly lead: string;
  readonly sums: readonly ReportSum[];
  readonly body: readonly Markup[];
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
