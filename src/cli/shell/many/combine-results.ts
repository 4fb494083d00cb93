import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject, omitUndefined } from '../../../base/json.ts';
import { formatCount, quoteName, toLines } from '../../../base/wording.ts';
import type { Column } from '../../../contract/types.ts';
import type { Result } from '../../command/result.ts';
import { failedLines, itemFailureText } from '../../commands/bulk/bulk.ts';
import type { AccountOutcome } from '../../commands/bulk/each-account.ts';
import { guessedColumns } from '../../terminal/describe.ts';
import { presentationOf } from '../../terminal/render-value.ts';

export interface Gathered {
  readonly result: Result;
  readonly records: readonly JsonObject[];
}

type End = AccountOutcome<Gathered>;
type Done = Extract<End, { state: 'done' }>;

/** Reads a complete result. Throws `Failure` if a list is incomplete or endless. */
export async function gather(result: Result): Promise<Gathered> {
  switch (result.kind) {
    case 'list': {
      if (result.live)
        throw new Failure('usage', 'A command that runs until Ctrl-C works in one account only.');
      const records: JsonObject[] = [];
      for await (const record of result.items) records.push(record);
      return { result, records };
    }
    case 'item':
    case 'done':
      return { result, records: recordsOf(result.value) };
    case 'report':
      return { result, records: result.rows };
    case 'fleet':
      throw new Failure('usage', 'A command that works on many accounts itself cannot run in each of many.');
    case 'text':
    case 'document':
    case 'program':
      return { result, records: [] };
  }
}

const recordsOf = (value: Json | undefined): readonly JsonObject[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(
    (item: Json): JsonObject => (isObject(item) ? item : { value: item }),
  );

const isEmptyList = (value: Json | undefined): boolean => Array.isArray(value) && value.length === 0;

/** Returns true if an account needed no changes. Such accounts are only counted. */
export function isIdle(result: Result): boolean {
  if (result.kind === 'done') return isEmptyList(result.value);
  const { value } = result.kind === 'text' || result.kind === 'document' ? result : {};
  return isObject(value) && value.dry_run === true && isEmptyList(value.requests);
}

/** Returns true if a command fully succeeded in an account. */
export const hasSucceeded = (end: End): boolean =>
  end.state === 'done' && end.result.result.failure === undefined && end.result.result.exit === undefined;

/** Combines the results and failures of one command in many accounts. Each result names its account. */
export async function combineResults(ends: readonly End[]): Promise<Result> {
  const failure = combinedFailure(ends);
  const done = ends.flatMap((end) => (end.state === 'done' ? [end] : []));
  const [first] = done;
  if (!first) throw failure ?? new Error('No changes in any account.');
  const exit = combineExits(done.map(({ result }) => result.result.exit));
  return { ...(await combineDone(first, done)), ...omitUndefined({ exit, failure }) };
}

/** Returns the first exit. An exit for missing records is dropped if any account has records. */
function combineExits(exits: readonly Result['exit'][]): Result['exit'] {
  const others = exits.find((exit) => exit !== undefined && exit !== 'not_found');
  return others ?? (exits.every((exit) => exit === 'not_found') ? 'not_found' : undefined);
}

async function combineDone({ result: { result } }: Done, done: readonly Done[]): Promise<Result> {
  const idle = done.filter(({ result: each }) => isIdle(each.result));
  switch (result.kind) {
    case 'program':
    case 'text':
    case 'document':
      return {
        kind: 'text',
        text: [
          ...done
            .filter((end) => !idle.includes(end))
            .map(({ account, result: each }) => [
              quoteName(account.label),
              ...resultLines(each).map(indentLine),
            ]),
          ...(idle.length === 0 ? [] : [[`Nothing to do in ${formatCount(idle.length, 'account')}.`]]),
        ].flatMap((lines, index) => (index === 0 ? lines : ['', ...lines])),
        value: done.map((end) => ({ ...accountPlace(end), result: resultOrFailure(end.result) })),
      };
    case 'done':
      return {
        kind: 'done',
        message: `Done in ${formatCount(done.length, 'account')}${idle.length === 0 ? '' : `; ${idle.length} of them needed no changes`}.`,
        value: done.flatMap(withAccounts),
        ...(result.resource ? { resource: result.resource } : {}),
      };
    case 'item':
    case 'list':
    case 'fleet':
    case 'report': {
      const items = done.flatMap(withAccounts);
      const resource = result.kind === 'report' || result.kind === 'fleet' ? undefined : result.resource;
      const known = result.kind === 'item' ? undefined : result.columns;
      const columns = known ?? (await presentationOf(resource)).columns ?? guessColumns(items);
      const open = done.flatMap(({ result: { result: each } }) =>
        each.kind === 'list' && each.isOpen ? [each.isOpen] : [],
      );
      const noun = (result.kind === 'list' ? result.noun : undefined) ?? resource ?? 'records';
      return {
        kind: 'list',
        items,
        columns: [{ header: 'ACCOUNT', paths: ['account'] }, ...columns],
        noun,
        among: `in ${formatCount(done.length, 'account')}`,
        ...(resource ? { resource } : {}),
        ...(open.length === 0
          ? {}
          : { isOpen: (record: JsonObject, path: string) => open.every((isOpen) => isOpen(record, path)) }),
      };
    }
  }
}

const accountPlace = ({ account: { label, id } }: Done): JsonObject => ({ account: label, account_id: id });

/** Adds the account to each record. Keeps account fields that a record already has. */
function withAccounts(end: Done): readonly JsonObject[] {
  const { result, records } = end.result;
  const all =
    result.kind === 'done' && records.length === 0
      ? [{ message: toLines(result.message).join(' ') }]
      : records;
  return all.map((record) => ({ ...accountPlace(end), ...record }));
}

const guessColumns = (records: readonly JsonObject[]): readonly Column[] =>
  guessedColumns(records).filter(({ paths: [path] }) => path !== 'account' && path !== 'account_id');

function resultLines({ result }: Gathered): readonly string[] {
  if (result.kind === 'document') return result.text.trimEnd().split('\n');
  return result.kind === 'text' ? toLines(result.text) : [];
}

function resultOrFailure({ result }: Gathered): Json {
  if (result.kind !== 'text' && result.kind !== 'document') return null;
  return result.value ?? toLines(result.text).join('\n');
}

const indentLine = (line: string): string => (line === '' ? '' : `  ${line}`);

/** The kind is that of all failures, or `partial` if they differ. */
function combinedFailure(ends: readonly End[]): Failure | undefined {
  const all = ends.flatMap((end) => {
    const why =
      end.state === 'failed' ? end.failure : end.state === 'done' ? end.result.result.failure : undefined;
    return why === undefined ? [] : [{ account: end.account, why }];
  });
  const left = ends.filter(({ state }) => state === 'left');
  const [first] = all;
  if (!first && left.length === 0) return undefined;
  const isAll = all.length + left.length === ends.length;
  const interrupted = all.filter(({ why }) => why.kind === 'interrupted');
  const failed = all.filter(({ why }) => why.kind !== 'interrupted');
  const isOne = first !== undefined && all.every(({ why }) => why.kind === first.why.kind);
  const kind = interrupted.length > 0 ? 'interrupted' : isAll && isOne ? first.why.kind : 'partial';
  const reasons = failed.map(({ account, why }) => itemFailureText(account.label, why));
  const counts = [
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(interrupted.length > 0 ? [`${interrupted.length} interrupted`] : []),
    ...(left.length > 0 ? [`${left.length} not started`] : []),
  ];
  const summary = `Of ${formatCount(ends.length, 'account')} ${counts.join(', ')}.`;
  const [firstReason] = reasons;
  return new Failure(kind, [...failedLines(reasons), summary], {
    hint: isAll ? undefined : 'To repeat only these accounts, pass a list of them to --accounts.',
    sentence: firstReason === undefined ? summary : `${summary} The first: ${firstReason}`,
    details: {
      failed: all.map(({ account, why }) => ({
        account: account.label,
        account_id: account.id,
        error: errorOf(why),
      })),
      not_begun: left.map(({ account }) => ({ account: account.label, account_id: account.id })),
    },
  });
}

const errorOf = ({ kind, message, status, requestId, details }: Failure) => ({
  kind,
  message,
  ...omitUndefined({ status, request_id: requestId, details }),
});
