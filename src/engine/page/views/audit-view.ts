import { counted } from '../../../base/wording.ts';
import { type AuditedAccount, findingsOf } from '../audit-page.ts';
import { commandLine, type Reach } from '../html/address.ts';
import { html, type Markup } from '../html/markup.ts';
import type { ReadAccount } from '../reader.ts';
import { breadcrumbs } from './account-tree.ts';

/** What an audit finds in an account, with what to do about it. */
export const auditView = (account: ReadAccount, audited: AuditedAccount, reach: Reach | undefined): Markup =>
  html`${breadcrumbs(account)}<h1>Audit</h1><p class="facts">${counted(audited.findings.length, 'finding')}: weak, lost or left over, each with the command that helps.</p>${commandLine(reach, ['audit'])}<div class="audit">${findingsOf(audited)}</div>`;
