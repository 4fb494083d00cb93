import { Failure, nextStep } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import { operationById } from '../../../contract/catalogue.ts';
import { isPrivateHost } from '../../../contract/webhook-findings.ts';
import type { AuditedAccount, AuditFinding } from '../../../engine/html/audit-page.ts';
import { formatSarif, type Noted } from '../../../engine/input/notations.ts';
import { kinds } from '../../../engine/manifest/kinds.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { type AccountInReach, accountWithDescendants } from '../bulk/choose-accounts.ts';
import { extensionPart, requirePart } from '../extension.ts';
import { flattenPages } from '../generic/list.ts';
import { quotedAccount } from '../labels.ts';
import { readAccountSections } from '../records/read-account.ts';
import { accountEmergencyNumbers, serviceClasses } from '../records/service-numbers.ts';
import { failureReason, hasFailed, latestAttempts } from '../webhooks/health/attempts.ts';
import type { auditOptions } from './commands.ts';
import { auditedKinds, auditFindings, severities } from './findings.ts';

/** Audits the current account, and with `--below` all accounts below it. Returns a row for each finding. */
export async function audit(input: InputOf<typeof auditOptions>, context: Context): Promise<ListResult> {
  if (input.emergency) return requirePart('auditEmergency', 'audit --emergency')(context);
  const api = await context.api();
  const own = { id: await context.accountId(), name: await ownName(context) };
  const accounts = input.below ? await accountWithDescendants(context, api) : [own];
  const shownTo = severities.indexOf(severities.find((each) => each === input.severity) ?? 'note');
  const audited: AuditedAccount[] = [];
  for (const account of accounts) {
    const { name, findings, missing } = await auditAccount(context, api, account, own.id);
    const kept = findings.filter(
      ({ severity, code }) =>
        severities.indexOf(severity) <= shownTo && (input.code === undefined || input.code === code),
    );
    audited.push({ name, findings: kept, missing });
  }
  const items = audited.flatMap(({ name, findings }) => findings.map((finding) => findingRow(name, finding)));
  const isTable = context.settings.output.value === 'table' && input.code === undefined;
  const counts = severities.map((each) =>
    formatCount(items.filter(({ severity }) => severity === each).length, each),
  );
  const when = new Date(api.serviceNowMs() ?? context.host.clock.now()).toISOString().slice(0, 10);
  return {
    kind: 'list',
    items: isTable ? groupFindings(items, input.below === true) : items,
    noun: 'findings',
    summary: () =>
      `${formatCount(items.length, 'finding')} in ${formatCount(accounts.length, 'account')}: ${counts.join(', ')}`,
    documents: {
      html: async () => (await import('../../../engine/html/audit-page.ts')).auditPage(audited, when),
      sarif: () => formatSarif(items.map(sarifNote)),
    },
    columns: [
      ...(accounts.length > 1 ? [{ header: 'ACCOUNT', paths: ['account'] }] : []),
      { header: 'SEVERITY', paths: ['severity'] },
      { header: 'CODE', paths: ['code'] },
      { header: 'KIND', paths: ['kind'] },
      { header: 'NAME', paths: ['name'] },
      { header: 'FINDING', paths: ['sentence'], show: 'sentence' },
      { header: 'NEXT', paths: ['next'], show: 'sentence' },
    ],
    ...(audited.some(({ missing }) => missing.length > 0) ? { exit: 'partial' } : {}),
  };
}

const findingRow = (
  account: string,
  { code, severity, kind, name, id, sentence, next }: AuditFinding,
): JsonObject => ({
  account,
  code,
  severity,
  kind,
  name,
  ...(id === '' ? {} : { id }),
  sentence,
  next: next.line,
});

/** Formats a finding for code hosts. The sentence names the object, because there is no file. */
const sarifNote = ({ code, severity, kind, name, sentence, account }: JsonObject): Noted => ({
  rule: String(code),
  level: severities.find((each) => each === severity) ?? 'note',
  message: `${kind} ${JSON.stringify(name)} of ${account} ${sentence}`,
});

const maxSeparate = 3;
const maxNamed = 3;

function groupFindings(items: readonly JsonObject[], isBelow: boolean): readonly JsonObject[] {
  const groups = Map.groupBy(items, ({ account, code }) => `${account} ${code}`);
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined || all.length <= maxSeparate) return all;
    const named = all.slice(0, maxNamed).map(({ name }) => String(name));
    const others = all.length - named.length;
    const word = String(first.code);
    const next = isBelow ? nextStep`audit --below --code ${word}` : nextStep`audit --code ${word}`;
    return [{ ...first, name: `${named.join(', ')} and ${formatCount(others, 'other')}`, next: next.line }];
  });
}

async function ownName(context: Context): Promise<string> {
  const { profile } = await context.session();
  const isOwn = (await context.accountId()) === profile.accountId;
  return isOwn ? (profile.accountName ?? profile.accountId) : quotedAccount(context);
}

/** Audits one account. `own` is the current account. Throws `Failure` if no records can be read. */
export async function auditAccount(
  context: Context,
  api: Api,
  { id, name }: AccountInReach,
  own: string,
): Promise<AuditedAccount> {
  const known: ReadonlySet<string> = new Set(kinds.map((kind) => kind.name));
  const { sections, missing } = await readAccountSections(
    context,
    { whole: auditedKinds.filter((each) => known.has(each)), listed: ['numbers', 'media', 'queues'] },
    { accountId: id },
  );
  const { profile } = await context.session();
  const ledger = await (await context.state()).ledger({ origin: profile.baseUrl, accountId: id }).read();
  const path = { account_id: id };
  const listed = (operation: string) => ifOffered(() => readAllItems(api, operation, path));
  const lint = (await extensionPart('lint')?.()) ?? (() => []);
  const found = auditFindings(lint, {
    sections,
    registrations: await listed('registrations.list'),
    legs: await listed('channels.list'),
    failing: await ifOffered(() => failingWebhookReasons(api, path)),
    classes: await serviceClasses(api, id),
    country: await api.country(id),
    emergency: await accountEmergencyNumbers(api, id),
    managed:
      ledger && ledger.entries.length > 0 ? new Set(ledger.entries.map((entry) => entry.id)) : undefined,
    ownId: profile.ownerId,
    isLocal: isPrivateHost(new URL(profile.baseUrl).hostname),
    nowS: Math.floor((api.serviceNowMs() ?? context.host.clock.now()) / 1000),
  });
  const elsewhere = id === own && context.settings.account.value === undefined ? '' : ` --account ${id}`;
  return {
    name,
    findings: found.map((each) => ({ ...each, next: { line: `${each.next.line}${elsewhere}` } })),
    missing,
  };
}

const readAllItems = (api: Api, operation: string, path: Readonly<Record<string, string>>) =>
  Array.fromAsync(flattenPages(api.pages({ operation: operationById(operation), path })));

/** Some services do not show these facts to every user. Missing facts cause no findings. */
async function ifOffered<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'interrupted' && error.status !== 401) return undefined;
    throw error;
  }
}

async function failingWebhookReasons(
  api: Api,
  path: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const { data } = await api.call({ operation: operationById('webhooks.attempts-all'), path });
  return new Map(
    [...latestAttempts(data)].flatMap(([id, last]) =>
      hasFailed(last) ? [[id, failureReason(last)] as const] : [],
    ),
  );
}
