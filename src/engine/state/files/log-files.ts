import { join } from 'node:path';
import type { Host } from '../../../base/host/host.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../../base/json.ts';
import { readOrFail, systemCode } from '../../../base/read-errors.ts';
import type { LogLine } from '../log.ts';
import { alreadyThere, type Log, type LogFilter, openRunsIn, type StoredRun } from '../state.ts';
import { unwritable, writing } from './ledger-file.ts';
import { readEntry } from './read-ledger.ts';

export interface LogFolder {
  readonly host: Host;
  /** The state folder; runs lie in `log` below it. */
  readonly state: string;
  /** Time for which runs are kept after their last line, in milliseconds. */
  readonly keepMs: number;
}

/** Runs that are looked at for their age when another begins. */
const agedAtOnce = 10;

/** True for the run of a process, by its number from 1, that looks at all others: the first ones, then few. */
export const looksAround = (begun: number): boolean => begun <= 16 || begun % 64 === 0;

export function logFiles({ host, state, keepMs }: LogFolder): Log {
  const folder = join(state, 'log');
  /** Number of the newest run that this process began. */
  let last: number | undefined;
  let begun = 0;
  const runFile = (id: string): string => join(folder, `${id.padStart(6, '0')}.ndjson`);
  const markOf = (id: string): string => join(openRunsIn(state), id);
  const idsNow = (): readonly string[] =>
    readOrFail(folder, () => host.files.list(folder))
      .flatMap((name) => /^0*(\d+)\.ndjson$/.exec(name)?.[1] ?? [])
      .sort((one, other) => Number(one) - Number(other));
  const read = (id: string, { startsOnly = false }: LogFilter = {}): StoredRun | undefined => {
    const text = readOrFail(runFile(id), () => host.files.readLargeText(runFile(id)))?.text;
    if (text === undefined) return undefined;
    const all = text.split('\n').slice(0, -1);
    const whole = startsOnly ? all.filter((line) => line.startsWith('{"line":"start"')) : all;
    const lines = whole.flatMap((line) => parseLogLine(line) ?? []);
    return { id, lines, damaged: whole.length - lines.length, begun: whole.length > 0 };
  };
  const forget = (known: readonly string[]): void => {
    const nowMs = host.clock.now();
    for (const id of known.slice(0, -1).slice(0, agedAtOnce)) {
      const modifiedMs = host.files.modifiedMs(runFile(id));
      if (modifiedMs !== undefined && nowMs - modifiedMs < keepMs) return;
      host.files.remove(runFile(id));
    }
  };
  return {
    ids: async (after = '0') => idsNow().filter((id) => Number(id) > Number(after)),
    last: async () => idsNow().at(-1) ?? '0',
    open: async () => readOrFail(folder, () => host.files.list(openRunsIn(state))),
    settle: async (id) => host.files.remove(markOf(id)),
    async begin() {
      begun += 1;
      // Of very many runs of one process few look for the others; a number that is taken is passed over.
      const looks = last === undefined || looksAround(begun);
      const known = looks ? idsNow() : [];
      const first = looks ? Number(known.at(-1) ?? 0) + 1 : Number(last) + 1;
      const { id, path, file } = newFile(host, runFile, first);
      if (looks) forget([...known, id]);
      last = Number(id);
      // An empty mark says that it goes on.
      writing(markOf(id), () => {
        host.files.remove(markOf(id));
        host.files.openAppendOnly(markOf(id)).close();
      });
      return {
        id,
        write: async (line) => writing(path, () => file.add(`${JSON.stringify(line)}\n`)),
        async flush() {
          try {
            await file.flush();
          } catch (error) {
            throw unwritable(path, error);
          }
        },
        async close() {
          file.close();
          host.files.remove(markOf(id));
        },
      };
    },
    async take({ id, lines }) {
      if (idsNow().includes(id)) throw alreadyThere(`a run ${id} in ${folder}`);
      const file = writing(runFile(id), () => host.files.openAppendOnly(runFile(id)));
      writing(runFile(id), () => file.add(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
      file.close();
    },
    read: async (id) => (/^\d+$/.test(id) ? read(String(Number(id))) : undefined),
    async *newest(filter: LogFilter = {}) {
      for (const id of idsNow().toReversed()) {
        const run = read(id, filter);
        if (run && isMeant(run, filter)) yield run;
      }
    },
  };
}

/** Creates the file of a run under the next free number, even if other processes do the same. */
function newFile(host: Host, runFile: (id: string) => string, first: number) {
  for (let number = first; ; number += 1) {
    const id = String(number);
    const path = runFile(id);
    try {
      return { id, path, file: host.files.openAppendOnly(path) };
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw unwritable(path, error);
    }
  }
}

/** True for a run that a filter lets through. One that cannot be read says not whose it is, and passes. */
function isMeant({ lines }: StoredRun, { account }: LogFilter): boolean {
  if (account === undefined) return true;
  const { origin, accountId } = account;
  const starts = lines.filter((line) => line.line === 'start');
  return (
    starts.length === 0 ||
    starts.some(
      ({ account: { id, origin: at }, owner }) => at === origin && (id === accountId || owner === accountId),
    )
  );
}

/** Returns a line of a run, checked; `undefined` for one that was not written whole: its process was killed. */
export function parseLogLine(line: string): LogLine | undefined {
  const value = parseJson(line);
  return isLine(value) ? value : undefined;
}

/** True for an object with all that is shown of a step. */
const isStep = (value: Json | undefined): boolean =>
  isObject(value) && ['key', 'kind', 'action', 'label'].every((name) => typeof value[name] === 'string');

const isTime = (value: Json | undefined): boolean =>
  typeof value === 'number' && !Number.isNaN(new Date(value).getTime());

/** True for a line with all that its readers rely on. A damaged one counts as not written. */
function isLine(value: Json | undefined): value is JsonObject & LogLine {
  if (!isObject(value)) return false;
  const { account, steps, step, inputs, options, error, entry } = value;
  const hasEntry = entry === undefined || readEntry(entry) !== undefined;
  const isId = value.id === undefined || typeof value.id === 'string';
  const has = (type: 'string' | 'number' | 'boolean', ...names: readonly string[]): boolean =>
    names.every((name) => typeof value[name] === type);
  switch (value.line) {
    case 'start':
      return (
        has('string', 'what', 'set', 'salt') &&
        has('number', 'pid', 'part', 'parts') &&
        isTime(value.atMs) &&
        isObject(account) &&
        typeof account.name === 'string' &&
        typeof account.origin === 'string' &&
        Array.isArray(steps) &&
        steps.every(isStep) &&
        Array.isArray(inputs) &&
        isObject(options)
      );
    case 'begin':
      return hasEntry && isId && has('string', 'key', 'action') && (step === undefined || isStep(step));
    case 'end':
      return (
        hasEntry &&
        isId &&
        has('string', 'key') &&
        has('boolean', 'ok') &&
        (error === undefined || (isObject(error) && typeof error.message === 'string'))
      );
    case 'finish':
      return has('number', 'done', 'failed', 'skipped') && isTime(value.atMs);
    default:
      return false;
  }
}
