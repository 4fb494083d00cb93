import { formatCount } from '../../base/wording.ts';
import { html, isolateText, type Markup } from './markup.ts';
import { reportPage, reportTable } from './report-pages.ts';

/** Errors lose calls or events, warnings are weaknesses, and notes are for information. */
export type Severity = 'error' | 'warning' | 'note';

export interface AuditFinding {
  /** Identifies the kind of finding for scripts: `user-without-email`. */
  readonly code: string;
  readonly severity: Severity;
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  readonly sentence: string;
  /** Excludes the options that select another account. */
  readonly next: { readonly line: string };
}

export interface AuditedAccount {
  readonly name: string;
  readonly findings: readonly AuditFinding[];
  readonly missing: readonly string[];
}

const severities: readonly Severity[] = ['error', 'warning', 'note'];

const findingRow = ({ severity, kind, name, code, sentence, next }: AuditFinding): Markup =>
  html`<tr><td><span class="chip ${severity}">${severity}</span></td><td>${isolateText(name)}<br><small>${kind}</small></td><td>${isolateText(sentence)}<br><small>${code}</small></td><td><code>${next.line.split(' ').map((word) => html`<span>${word}</span> `)}</code></td></tr>`;

export const findingsTable = ({ findings, missing }: AuditedAccount): Markup =>
  html`${missing.map((each) => html`<p class="warning">${isolateText(each)}</p>`)}${
    findings.length > 0 &&
    reportTable('Findings', ['Severity', 'Object', 'Finding', 'Next'], findings.map(findingRow))
  }`;

const section = (account: AuditedAccount): Markup =>
  html`<section><h2>${isolateText(account.name)}</h2><p>${formatCount(account.findings.length, 'finding')}</p>${findingsTable(account)}</section>`;

export function auditPage(accounts: readonly AuditedAccount[], when: string): string {
  const all = accounts.flatMap(({ findings }) => findings);
  const countSeverity = (severity: Severity) => all.filter((each) => each.severity === severity).length;
  return reportPage({
    title: 'Audit',
    lead: `${formatCount(accounts.length, 'account')}, ${when}`,
    sums: severities.map((each) => ({ figure: String(countSeverity(each)), word: `${each}s`, look: each })),
    body: accounts.map(section),
  });
}
