import { type JsonObject, objectsIn } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import type { Context } from '../../../cli/command/context.ts';
import { type ListResult, plainColumns } from '../../../cli/command/result.ts';
import { readAccountSections } from '../../../cli/commands/records/read-account.ts';
import { emergencyCalls } from '../cases/emergency-calls.ts';
import { readAccount } from '../make-calls.ts';

/** Simulates calls to every emergency number from every phone, and lists where they end. */
export async function auditEmergency(context: Context): Promise<ListResult> {
  const id = await context.accountId();
  const account = await readAccount(context, id);
  const { sections } = await readAccountSections(context, { whole: ['numbers'] }, { accountId: id });
  const [section] = sections;
  const numbers = section?.missing === undefined ? objectsIn(section?.records ?? []) : undefined;
  const at = (await context.api()).serviceNowMs() ?? context.host.clock.now();
  const calls = emergencyCalls(account, { at, numbers });
  const bad = calls.filter(({ problem }) => problem !== null).length;
  return {
    kind: 'list',
    items: calls.map((call): JsonObject => ({ ...call })),
    noun: 'calls',
    columns: [
      ...plainColumns('from', 'number', 'ends_in', 'shows', 'address'),
      { header: 'PROBLEM', paths: ['problem'], show: 'sentence' },
    ],
    summary: () =>
      calls.length === 0
        ? 'No emergency calls were tried, because no phone is enabled.'
        : `${formatCount(calls.length, 'call')} tried, ${formatCount(bad, 'problem')}`,
  };
}
