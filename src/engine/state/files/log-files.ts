import { join } from 'node:path';
import type { AppendOnlyFile } from '../../../base/host/files.ts';
import type { Host } from '../../../base/host/host.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../../base/json.ts';
import { readOrFail, systemCode } from '../../../base/read-errors.ts';
import type { LogLine } from '../log.ts';
import {
  alreadyExistsFailure,
  type Log,
  type LogFilter,
  openRunsFolder,
  type RunWriter,
  type StoredRun,
} from '../state.ts';
import { toWriteFailure, writeOrFail } from './ledger-file.ts';
import { readEntry } from './read-ledger.ts';

export interface LogFolder {
  readonly host: Host;
  /** The `log` folder below it contains the runs. */
  readonly state: string;
  /** Runs are kept for this time after their last line. */
  readonly keepMs: number;
}

/** Old runs whose age is checked when a run starts. */
const checkedAtOnce = 10;

/** Returns true if a process lists all other runs before its run number `begun`: for the first ones, then rarely. */
export const listsOthers = (begun: number): boolean => begun <= 16 || begun % 64 === 0;

const lineText = (line: LogLine): string => `${JSON.stringify(line)}\n`;

/** Keeps one file per run in the state folder. */
export function logFiles(parts: LogFolder): Log {
  const { host, state } = parts;
  const runs = new RunFiles(parts);
  return {
    ids: async (after = '0') => runs.ids().filter((id) => Number(id) > Number(after)),
    last: async () => runs.ids().at(-1) ?? '0',
    open: async () => readOrFail(runs.folder, () => host.files.list(openRunsFolder(state))),
    settle: async (id) => host.files.remove(runs.markPath(id)),
    begin: async () => runs.begin(),
    async take({ id, lines }) {
      if (runs.ids().includes(id)) throw alreadyExistsFailure(`a run ${id} in ${runs.folder}`);
      const path = runs.path(id);
      const file = writeOrFail(path, () => host.files.openAppendOnly(path));
      writeOrFail(path, () => file.add(lines.map(lineText).join('')));
      file.close();
    },
    read: async (id) => (/^\d+$/.test(id) ? runs.read(String(Number(id))) : undefined),
    async *newest(filter: LogFilter = {}) {
      for (const id of runs.ids().toReversed()) {
        const run = runs.read(id, filter);
        if (run && matchesAccount(run, filter)) yield run;
      }
    },
  };
}

class RunFiles {
  readonly folder: string;
  readonly #host: Host;
  readonly #marks: string;
  readonly #keepMs: number;
  #last = 0;
  #begun = 0;

  constructor({ host, state, keepMs }: LogFolder) {
    this.#host = host;
    this.folder = join(state, 'log');
    this.#marks = openRunsFolder(state);
    this.#keepMs = keepMs;
  }

  path(id: string): string {
    return join(this.folder, `${id.padStart(6, '0')}.ndjson`);
  }

  markPath(id: string): string {
    return join(this.#marks, id);
  }

  /** Returns the oldest run first. */
  ids(): readonly string[] {
    return readOrFail(this.folder, () => this.#host.files.list(this.folder))
      .flatMap((name) => /^0*(\d+)\.ndjson$/.exec(name)?.[1] ?? [])
      .sort((one, other) => Number(one) - Number(other));
  }

  read(id: string, { startsOnly = false }: LogFilter = {}): StoredRun | undefined {
    const path = this.path(id);
    const text = readOrFail(path, () => this.#host.files.readLargeText(path))?.text;
    if (text === undefined) return undefined;
    const all = text.split('\n').slice(0, -1);
    const whole = startsOnly ? all.filter((line) => line.startsWith('{"line":"start"')) : all;
    const lines = whole.flatMap((line) => parseLogLine(line) ?? []);
    return { id, lines, damaged: whole.length - lines.length, begun: whole.length > 0 };
  }

  begin(): RunWriter {
    this.#begun += 1;
    // Listing thousands of runs takes time. A number that is already used is always skipped.
    const isListed = this.#last === 0 || listsOthers(this.#begun);
    const known = isListed ? this.ids() : [];
    const { id, path, file } = this.#create(isListed ? Number(known.at(-1) ?? 0) + 1 : this.#last + 1);
    if (isListed) this.#removeExpired(known);
    this.#last = Number(id);
    this.#mark(id);
    return {
      id,
      write: async (line) => writeOrFail(path, () => file.add(lineText(line))),
      async flush() {
        try {
          await file.flush();
        } catch (error) {
          throw toWriteFailure(path, error);
        }
      },
      close: async () => {
        file.close();
        this.#host.files.remove(this.markPath(id));
      },
    };
  }

  /** Creates the file with the next free number, even if other processes do the same. */
  #create(first: number): { readonly id: string; readonly path: string; readonly file: AppendOnlyFile } {
    for (let number = first; ; number += 1) {
      const id = String(number);
      const path = this.path(id);
      try {
        return { id, path, file: this.#host.files.openAppendOnly(path) };
      } catch (error) {
        if (systemCode(error) !== 'EEXIST') throw toWriteFailure(path, error);
      }
    }
  }

  #mark(id: string): void {
    const { files } = this.#host;
    writeOrFail(this.markPath(id), () => {
      files.remove(this.markPath(id));
      files.openAppendOnly(this.markPath(id)).close();
    });
  }

  #removeExpired(ids: readonly string[]): void {
    const { files, clock } = this.#host;
    const nowMs = clock.now();
    for (const id of ids.slice(0, checkedAtOnce)) {
      const modifiedMs = files.modifiedMs(this.path(id));
      if (modifiedMs !== undefined && nowMs - modifiedMs < this.#keepMs) return;
      files.remove(this.path(id));
    }
  }
}

/** An unreadable run could be of any account, so it matches. */
function matchesAccount({ lines }: StoredRun, { account }: LogFilter): boolean {
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

/** Returns `undefined` for an incomplete or damaged line, which a killed process left. */
export function parseLogLine(line: string): LogLine | undefined {
  const value = parseJson(line);
  return isLogLine(value) ? value : undefined;
}

const isOptionalText = (value: Json | undefined): boolean => value === undefined || typeof value === 'string';

const hasFields = (value: JsonObject, type: 'string' | 'number' | 'boolean', ...names: readonly string[]) =>
  names.every((name) => typeof value[name] === type);

const isStep = (value: Json | undefined): boolean =>
  isObject(value) && hasFields(value, 'string', 'key', 'kind', 'action', 'label');

const isTime = (value: Json | undefined): boolean =>
  typeof value === 'number' && !Number.isNaN(new Date(value).getTime());

const hasValidEntry = ({ entry }: JsonObject): boolean =>
  entry === undefined || readEntry(entry) !== undefined;

/** Checks all fields that readers of a line use. */
const lineChecks: Readonly<Record<LogLine['line'], (line: JsonObject) => boolean>> = {
  start: (line) =>
    hasFields(line, 'string', 'what', 'set', 'salt') &&
    hasFields(line, 'number', 'pid', 'part', 'parts') &&
    isTime(line.atMs) &&
    isObject(line.account) &&
    hasFields(line.account, 'string', 'name', 'origin') &&
    Array.isArray(line.steps) &&
    line.steps.every(isStep) &&
    Array.isArray(line.inputs) &&
    isObject(line.options),
  begin: (line) =>
    hasValidEntry(line) &&
    isOptionalText(line.id) &&
    hasFields(line, 'string', 'key', 'action') &&
    (line.step === undefined || isStep(line.step)),
  end: (line) =>
    hasValidEntry(line) &&
    isOptionalText(line.id) &&
    hasFields(line, 'string', 'key') &&
    hasFields(line, 'boolean', 'ok') &&
    (line.error === undefined || (isObject(line.error) && hasFields(line.error, 'string', 'message'))),
  finish: (line) => hasFields(line, 'number', 'done', 'failed', 'skipped') && isTime(line.atMs),
};

const isLineKind = (word: unknown): word is LogLine['line'] =>
  typeof word === 'string' && Object.hasOwn(lineChecks, word);

const isLogLine = (value: Json | undefined): value is JsonObject & LogLine =>
  isObject(value) && isLineKind(value.line) && lineChecks[value.line](value);
