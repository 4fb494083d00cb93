import type { JsonObject } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import { list_entries } from '../../../contract/resources/lists.ts';
import { problemsFailure } from '../../../engine/input/document.ts';
import type { InputRecord } from '../../../engine/input/read-records.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { appendCounts, bulkFailure, changeInBulk, countOutcomes } from '../bulk/bulk.ts';
import { changesRecord, dryRunResult } from '../change.ts';
import { readInputRecords } from '../generic/input.ts';
import { operationFor, pathTo } from '../records/find-named.ts';
import {
  allEntries,
  type importEntriesArguments,
  type importEntriesOptions,
  listPath,
  sentEntry,
} from './commands.ts';

/** The field that identifies callers. Entries with the same value are duplicates. */
const callerKey = (entry: JsonObject): string =>
  JSON.stringify(['number', 'prefix', 'pattern', 'regexp'].map((field) => entry[field] ?? null));

type PathParameters = Awaited<ReturnType<typeof listPath>>;

interface Row {
  readonly record: InputRecord;
  readonly value: JsonObject;
  readonly there: JsonObject | undefined;
}

/** Adds the rows of a file. Skips or changes existing entries, so that a file can be sent again. */
export async function importEntries(
  { list, file, existing }: InputOf<typeof importEntriesOptions, typeof importEntriesArguments>,
  context: Context,
): Promise<Result> {
  const records = await readInputRecords(context, list_entries, 'create', { files: [file] });
  const path = await listPath(context, list);
  const before = await entriesByCallers(await context.api(), path);
  const rows = entryRows(records, before);
  const sent = rows.filter(
    ({ there, value }) => there === undefined || (existing === 'update' && changesRecord(there, value)),
  );
  if (context.options.dryRun)
    return dryRunResult(
      context,
      sent.map((row) => ({ call: entryRequest(row, path) })),
    );
  const outcomes = await changeInBulk(context, sent, {
    doing: 'import entries',
    send: async (api, row: Row) => {
      await api.call(entryRequest(row, path));
      return row;
    },
    async lookUp(api, lost) {
      const now = await entriesByCallers(api, path);
      return lost.map((row) => {
        const found = now.get(callerKey(row.value));
        return found && !changesRecord(found, row.value) ? { end: 'done', result: row } : { end: 'not done' };
      });
    },
  });
  const failure = bulkFailure(sent, outcomes, {
    label: ({ value }) => `entry ${String(value.number ?? value.prefix ?? value.pattern ?? value.name)}`,
    place: ({ record }) => record.place(),
    noun: 'entries',
    done: 'sent',
    hint: ({ unknown }) => (unknown > 0 ? 'Import the file again. Existing entries are kept.' : undefined),
  });
  const done = outcomes.flatMap((outcome) => (outcome.end === 'done' ? [outcome.result] : []));
  if (failure && done.length === 0) throw failure;
  const added = done.filter(({ there }) => there === undefined).length;
  const ends = countOutcomes(outcomes);
  return {
    kind: 'done',
    message: appendCounts(`Added ${formatCount(added, 'entry', 'entries')} to list ${list}`, {
      'changed #': done.length - added,
      '# there already': rows.length - sent.length,
      '# not sent': ends.failed + ends.skipped,
      '# unknown': ends.unknown,
    }),
    value: done.map(({ value }) => value),
    ...(failure ? { failure } : {}),
  };
}

const entriesByCallers = async (api: Api, path: PathParameters): Promise<ReadonlyMap<string, JsonObject>> =>
  new Map((await allEntries(api, path)).map((entry) => [callerKey(entry), entry]));

const entryRequest = ({ there, value }: Row, path: PathParameters) =>
  there === undefined
    ? { operation: operationFor(list_entries, 'create'), path, data: value }
    : {
        operation: operationFor(list_entries, 'patch'),
        path: { ...path, ...pathTo(list_entries, String(there.id)) },
        data: value,
      };

function entryRows(records: readonly InputRecord[], before: ReadonlyMap<string, JsonObject>): readonly Row[] {
  const rows = new Map<string, Row>();
  const problems = records.flatMap((record) => {
    const value = sentEntry(record.value);
    const key = callerKey(value);
    if (key === callerKey({})) return [record.problem('', 'has neither number, prefix, pattern nor regexp')];
    const same = rows.get(key);
    if (same === undefined) rows.set(key, { record, value, there: before.get(key) });
    else if (JSON.stringify(same.value) !== JSON.stringify(value))
      return [record.problem('', `contradicts ${same.record.place()}, which is about the same callers`)];
    return [];
  });
  if (problems.length > 0) throw problemsFailure(problems);
  return [...rows.values()];
}
