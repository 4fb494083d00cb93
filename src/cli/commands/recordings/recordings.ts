import { resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { refuseUnplain } from '../../../base/reading.ts';
import { recordings } from '../../../contract/resources/recordings.ts';
import type { InputOf, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { recordsOfTime } from '../cdrs/list.ts';
import { filterQuery, fittingItems, readFilters } from '../generic/filters.ts';
import { asRecord, operationFor, pathTo, refuseUnnamed } from '../generic/find-named.ts';
import type { downloadArguments, listOptions } from './commands.ts';

export async function listRecordings(
  input: InputOf<typeof listOptions>,
  context: Context,
): Promise<ListResult> {
  const given: ParsedInput = input;
  const { since, until, user } = input;
  const filters = readFilters(recordings, given, context);
  const found = recordsOfTime(context, recordings, {
    ...{ verb: 'list', verbOfUser: 'of-user', user, range: { since, until } },
    query: filterQuery(recordings, filters),
  });
  const items = fittingItems(recordings, filters, found);
  return { kind: 'list', items, resource: 'recordings', noun: 'recordings' };
}

/** Writes the sound of a recording to a file that its owner alone may read, or to standard output. */
export async function downloadRecording(
  { id, file }: InputOf<Record<never, never>, typeof downloadArguments>,
  context: Context,
): Promise<Result> {
  const { host } = context;
  refuseUnnamed(recordings, id);
  if (file === '-' && host.stdout.isTTY)
    throw new Failure('usage', 'Sound cannot be shown at a terminal.', {
      hint: 'Name a file, or lead the output into a program.',
    });
  const path = resolve(host.cwd, file);
  if (file !== '-') refuseUnplain(host, path, file, 'FILE');
  const api = await context.api();
  const call = { operation: operationFor(recordings, 'get'), path: pathTo(recordings, id) };
  const record = asRecord(recordings, (await api.call(call)).data);
  const { bytes } = await api.call({ ...call, accept: typeOf(record) });
  if (!bytes)
    throw new Failure('not_found', `The service has no sound of recording ${id}.`, {
      hint:
        typeof record.url === 'string' ? 'It was sent elsewhere when it was made: see its url.' : undefined,
    });
  const value = { id, bytes: bytes.length };
  if (file === '-') return { kind: 'document', text: '', bytes, value };
  host.files.writePrivate(path, bytes);
  return { kind: 'done', message: `Wrote ${bytes.length} bytes to ${file}.`, value: { ...value, file } };
}

/** The type of sound to ask for: what the record offers, else what it was recorded as. */
function typeOf({ _read_only: shown, content_type: type }: JsonObject): string {
  const offered = isObject(shown) && Array.isArray(shown.content_types) ? shown.content_types[0] : undefined;
  return [offered, type].find((each) => typeof each === 'string' && each !== '')?.toString() ?? 'audio/mpeg';
}
