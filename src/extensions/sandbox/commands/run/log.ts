import { Failure } from '../../../../base/failure.ts';
import type { JsonObject } from '../../../../base/json.ts';
import { shortIds } from '../../../../base/wording.ts';
import type { InputOf } from '../../../../cli/command/command.ts';
import type { Context } from '../../../../cli/command/context.ts';
import type { Result } from '../../../../cli/command/result.ts';
import { openControl, type SandboxControl } from '../../control-client.ts';
import type { requestLogOptions } from '../commands.ts';

type Input = InputOf<typeof requestLogOptions>;
type Wanted = (entry: JsonObject) => boolean;

const usual = 50;
const usualBefore = 10;

/** Creates the filter of the options. Throws `Failure` (`usage`) for an invalid pattern. */
async function createFilter({ match, failed, requests, deliveries }: Input): Promise<Wanted> {
  const { matchesRequest, matchesGlob, parsePattern, explainPattern } = await import('../../fault-rule.ts');
  const pattern = match === undefined ? undefined : parsePattern(match);
  // A single word can be the hook of a delivery.
  if (match !== undefined && !pattern && /\s/.test(match.trim()))
    throw new Failure('usage', explainPattern(match));
  const fitsDelivery = ({ hook, path, method }: JsonObject): boolean => {
    if (match === undefined) return true;
    const address = String(path);
    const local = URL.canParse(address) ? new URL(address).pathname : address;
    return (
      matchesGlob(match, String(hook)) ||
      matchesGlob(match, address) ||
      (pattern !== undefined && matchesRequest(pattern, String(method), local))
    );
  };
  return (entry) => {
    const { kind, status, method, path } = entry;
    const isDelivery = kind === 'delivery';
    if (requests && !deliveries && isDelivery) return false;
    if (deliveries && !requests && !isDelivery) return false;
    const isFailed = typeof status !== 'number' || status >= (isDelivery ? 300 : 400);
    if (failed && !isFailed) return false;
    if (match === undefined) return true;
    if (isDelivery) return fitsDelivery(entry);
    return pattern !== undefined && matchesRequest(pattern, String(method), String(path).split('?')[0] ?? '');
  };
}

/** Adds columns for tables. Other formats print the entry itself. */
function formatEntry(entry: JsonObject, isTerminal: boolean): JsonObject {
  const { kind, time, method, path, status, hook, note } = entry;
  const long = kind === 'delivery' ? `${String(hook)} → ${String(method)} ${String(path)}` : String(path);
  const what = isTerminal ? shortIds(long) : long;
  return {
    ...entry,
    clock: `${String(time).slice(11, 19)}Z`,
    verb: kind === 'delivery' ? 'deliver' : String(method),
    status: typeof status === 'number' ? status : 'lost',
    what: note === undefined ? what : `${what}  (${String(note)})`,
  };
}

async function* readMatchingEntries(control: SandboxControl, input: Input, wanted: Wanted) {
  const { entries: known } = await control.request('log', { since: undefined });
  const limit = input.limit ?? (input.follow ? usualBefore : usual);
  if (limit > 0) yield* known.filter(wanted).slice(-limit);
  if (!input.follow) return;
  const last = known.at(-1)?.sequence ?? 0;
  for await (const entry of control.follow(Number(last))) if (wanted(entry)) yield entry;
}

/** Shows requests and deliveries of the sandbox. With `--follow`, also shows new ones. */
export async function showLog(input: Input, context: Context): Promise<Result> {
  const { host, settings, options } = context;
  const wanted = await createFilter(input);
  const control = await openControl(context, input.name);
  const isForPeople =
    settings.output.value === 'table' && options.query === undefined && options.fields === undefined;
  if (input.follow && settings.output.value === 'json')
    throw new Failure('usage', 'A list without an end cannot be one JSON document.', {
      hint: 'Give -o ndjson.',
    });
  async function* items(): AsyncGenerator<JsonObject> {
    for await (const entry of readMatchingEntries(control, input, wanted))
      yield isForPeople ? formatEntry(entry, host.stdout.isTTY === true) : entry;
  }
  return {
    kind: 'list',
    items: items(),
    noun: 'entries',
    ...(input.follow ? { live: [9, 7, 6, 7] } : {}),
    columns: [
      { header: 'TIME', paths: [isForPeople ? 'clock' : 'time'] },
      { header: 'WHAT', paths: [isForPeople ? 'verb' : 'method'] },
      { header: 'STATUS', paths: ['status'] },
      { header: 'MS', paths: ['ms'] },
      { header: 'WHERE', paths: [isForPeople ? 'what' : 'path'] },
    ],
  };
}
