import { Failure, isWrongRecord } from '../../base/failure.ts';
import { isObject, type JsonObject, omitUndefined, unlessEmpty } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import { type OutsideValues, replaceOutsideValues } from '../../base/outside-values.ts';
import type { Recorder, Write, WriteEnd } from '../../client/api/recorder.ts';
import { timestampMs } from '../../client/api/unwrap.ts';
import { manifestSections } from '../../contract/manifest-section.ts';
import { resourceOf } from '../../contract/resource.ts';
import type { Operation } from '../../contract/types.ts';
import { compareWrite, effectWords } from '../../contract/write-effect.ts';
import { saltedHash } from '../state/ledger.ts';
import type { BeginLine, EndLine, LoggedStep, LogLine, RunFacts, StartLine } from '../state/log.ts';
import type { RunWriter, State } from '../state/state.ts';
import { loggedValues, omitSecrets, valuesBeforeDelete, valuesBeforeUpdate } from './apply/old-values.ts';
import { desiredLabel } from './desired.ts';
import type { Kind } from './kinds.ts';
import { entryOf } from './ledger/hashing.ts';

/** The signed-in user, the service, and the account in which the run starts. */
export interface Signed extends Pick<StartLine, 'user' | 'userId'> {
  readonly origin: string;
  readonly owner: string;
  nameOf(id: string): string;
}

export interface RecorderParts {
  state(): Promise<State>;
  readonly facts: RunFacts;
  readonly pid: number;
  nowMs(): number;
  who(): Promise<Signed>;
  /** Texts from the environment or from files, which are never written. */
  readonly confidential: ReadonlySet<string>;
  /** The same texts with their sources, which replace them in names of records. */
  readonly outside: OutsideValues;
  /** A problem of the state stops changes instead of causing a warning. */
  readonly insists: boolean;
  warn(line: string): void;
  /** Called with the error of a line that could not be written. Throws errors that the state did not cause. */
  late(error: unknown): void;
  readonly interrupted: AbortSignal;
}

interface RecordChange {
  readonly kind: Kind;
  readonly by: 'create' | 'patch' | 'replace' | 'delete';
  readonly id: string | undefined;
}

const verbs = ['create', 'patch', 'replace', 'delete'] as const;

const changes = new Map<string, Pick<RecordChange, 'kind' | 'by'> | undefined>();

/** Loads only the operation's own resource. Returns `undefined` for operations outside manifests. */
function changeByOperation(operation: Operation): Pick<RecordChange, 'kind' | 'by'> | undefined {
  const { id } = operation;
  if (!changes.has(id)) {
    const found = manifestSections(resourceOf(operation)).flatMap((kind) =>
      verbs.filter((by) => kind.calls[by]?.id === id).map((by) => ({ kind, by })),
    );
    changes.set(id, found.at(-1));
  }
  return changes.get(id);
}

interface Part {
  readonly number: number;
  readonly salt: string;
  /** Uses of each key. Repeated keys get a number. */
  readonly keys: Map<string, number>;
}

interface OpenRun {
  readonly run: RunWriter;
  flushed: Promise<void> | undefined;
  readonly parts: Map<string, Promise<Part>>;
  readonly who: Signed;
  done: number;
  failed: number;
}

/** The run begins with the first change. */
export class RunRecorder implements Recorder {
  readonly seen: Recorder['seen'] = new Map();
  readonly #parts: RecorderParts;
  #opening: Promise<OpenRun | undefined> | undefined;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  async begin(write: Write): Promise<(end: WriteEnd) => Promise<void>> {
    const before = await write.before();
    this.#opening ??= this.#open();
    const log = await this.#opening;
    if (!log) return async () => undefined;
    const change = findChange(write);
    // A deleted account no longer exists, so its deletion is a change of the account above it.
    const isAccount = change?.kind.name === 'accounts' && change.by === 'delete';
    const part = await this.#partFor(log, (isAccount ? undefined : write.path.account_id) ?? log.who.owner);
    const begin = beginLine(write, change, before, part, this.#parts);
    if (!(await this.#write(log, begin))) return async () => undefined;
    // The line is in the operating system's cache. It is flushed to the disk during the request.
    log.flushed ??= log.run.flush().catch(() => undefined);
    return async (end) => {
      const line = endLine(write, change, begin, end, before, part, this.#parts);
      if (!line) return;
      for (const words of effectWords(begin.step.label, line)) this.#parts.warn(words);
      if (line.ok) log.done += 1;
      else log.failed += 1;
      await this.#write(log, line).catch(this.#parts.late);
    };
  }

  async close(): Promise<void> {
    const log = await this.#opening;
    if (!log) return;
    const { run, done, failed, flushed } = log;
    const { interrupted: signal, nowMs, late } = this.#parts;
    const interrupted = signal.aborted ? (true as const) : undefined;
    const counts = { done, failed, skipped: 0, ...omitUndefined({ interrupted }) };
    await this.#write(log, { line: 'finish', atMs: nowMs(), ...counts }).catch(late);
    await flushed;
    await run.close();
  }

  async #open(): Promise<OpenRun | undefined> {
    try {
      const run = await (await this.#parts.state()).log.begin();
      const who = await this.#parts.who();
      return { run, flushed: undefined, parts: new Map(), who, done: 0, failed: 0 };
    } catch (error) {
      this.#warnOrThrow(error);
      return undefined;
    }
  }

  /** Warns that changes are not recorded. Throws an error that must stop them, or that the state did not cause. */
  #warnOrThrow(error: unknown): void {
    const { insists, warn } = this.#parts;
    if (!(error instanceof Failure) || error.kind !== 'failed' || insists) throw error;
    warn(`${error.message} Changes are not recorded, so telctl undo cannot reverse them.`);
  }

  async #write(log: OpenRun, line: LogLine): Promise<boolean> {
    try {
      await log.run.write(line);
      return true;
    } catch (error) {
      this.#opening = Promise.resolve(undefined);
      this.#warnOrThrow(error);
      return false;
    }
  }

  #partFor(log: OpenRun, accountId: string): Promise<Part> {
    const begun = log.parts.get(accountId);
    if (begun) return begun;
    const number = log.parts.size + 1;
    const salt = saltedHash(`${log.run.id} ${this.#parts.nowMs()}`, accountId);
    const part: Part = { number, salt, keys: new Map() };
    const begins = this.#write(log, startLine(log, accountId, part, this.#parts)).then(() => part);
    log.parts.set(accountId, begins);
    return begins;
  }
}

const startLine = (
  { run, who }: OpenRun,
  accountId: string,
  { number, salt }: Part,
  { nowMs, pid, facts }: RecorderParts,
): StartLine => ({
  line: 'start',
  version: 2,
  run: run.id,
  what: 'command',
  atMs: nowMs(),
  pid,
  ...facts,
  account: { id: accountId, name: who.nameOf(accountId), origin: who.origin },
  owner: who.owner,
  part: number,
  parts: number,
  user: who.user,
  ...omitUndefined({ userId: who.userId }),
  set: '',
  salt,
  inputs: [],
  options: {},
  steps: [],
});

/** Returns `undefined` for a request outside manifests. */
function findChange({ operation, path }: Write): RecordChange | undefined {
  const change = operation && changeByOperation(operation);
  if (!change) return undefined;
  const { kind, by } = change;
  if (kind.shape === 'one') return { ...change, id: kind.name };
  if (by === 'create' && kind.keys[0] !== 'id') return { ...change, id: undefined };
  const parameter = kind.name === 'accounts' ? 'account_id' : kind.resource.idParameter;
  return { kind, by, id: parameter === undefined ? undefined : path[parameter] };
}

function beginLine(
  write: Write,
  change: RecordChange | undefined,
  before: JsonObject | undefined,
  part: Part,
  { confidential, outside }: Pick<RecorderParts, 'confidential' | 'outside'>,
): BeginLine & { readonly step: LoggedStep } {
  const data = isObject(write.data) ? write.data : undefined;
  const texts = { texts: confidential };
  const shown = [before, data].flatMap((record) =>
    record && change ? [omitSecrets(change.kind.schema, record, texts).before] : [],
  );
  const step = change ? stepOf(change, replaceOutsideValues(shown, outside)) : otherStep(write);
  const count = (part.keys.get(step.key) ?? 0) + 1;
  part.keys.set(step.key, count);
  const key = count === 1 ? step.key : `${step.key} #${count}`;
  const old = collectOldValues(write, change, data, before);
  const after =
    data && change?.by !== 'delete' ? loggedValues(dataSchema(write, change), data, texts) : undefined;
  return {
    line: 'begin',
    part: part.number,
    key,
    action: step.action,
    step: { ...step, key },
    ...omitUndefined({ id: change?.id, before: old?.before, unkept: old && unlessEmpty(old.unkept), after }),
  };
}

const dataSchema = ({ operation }: Write, change: RecordChange | undefined) =>
  operation?.body?.kind === 'value'
    ? operation.body.schema
    : (change?.kind.schema ?? (operation ? resourceOf(operation).schema : {}));

function stepOf({ kind, by, id }: RecordChange, records: readonly JsonObject[]): LoggedStep {
  const named = kind.keys.flatMap((key) => records.map((record) => record[key]));
  const name = String(named.find((each) => typeof each === 'string') ?? id ?? '');
  return {
    key: kind.shape === 'one' ? kind.name : `${kind.name}.${id ?? name}`,
    kind: kind.name,
    action: by === 'create' ? 'create' : by === 'delete' ? 'delete' : 'update',
    label: desiredLabel(kind, name, records),
  };
}

function otherStep({ operation, method, address }: Write): LoggedStep {
  const call = `${method} ${address}`;
  if (!operation) return { key: call, kind: 'api', action: method.toLowerCase(), label: call };
  const { id, resource, verb, summary } = operation;
  return { key: id, kind: resource, action: verb, label: summary.replace(/\.$/, '') };
}

function collectOldValues(
  write: Write,
  change: RecordChange | undefined,
  data: JsonObject | undefined,
  before: JsonObject | undefined,
) {
  if (change?.by === 'create') return undefined;
  if (change?.by === 'delete') return valuesBeforeDelete(change.kind, before, []);
  if (change) return valuesBeforeUpdate(change.kind, before, { send: data ?? {}, by: change.by }, []);
  return before && write.operation ? omitSecrets(resourceOf(write.operation).schema, before) : undefined;
}

/** Returns `undefined` if the outcome of the request is unknown. */
function endLine(
  { operation, data }: Write,
  change: RecordChange | undefined,
  { key, after }: BeginLine,
  end: WriteEnd,
  before: JsonObject | undefined,
  part: Part,
  { nowMs, confidential }: RecorderParts,
): EndLine | undefined {
  const common = { line: 'end', part: part.number, key } as const;
  if ('failure' in end) {
    const { kind, message, requestId, inDoubt } = end.failure;
    if (inDoubt) return undefined;
    if (isWrongRecord(end.failure)) return undefined;
    return { ...common, ok: false, ...omitUndefined({ requestId }), error: { kind, message } };
  }
  const { requestId, charges, data: reply, envelope } = end.reply;
  const record = isObject(reply) && operation?.reply.kind === 'record' ? reply : undefined;
  const id = change?.id ?? (typeof record?.id === 'string' ? record.id : undefined);
  const atMs = timestampMs(envelope.timestamp);
  const sent =
    change && change.by !== 'delete' && isObject(data) ? omitSecrets(change.kind.schema, data).before : {};
  const unseen = isObject(reply)
    ? Object.keys(sent).filter((field) => (sent[field] ?? null) !== null && reply[field] === undefined)
    : [];
  const entry =
    change && change.by !== 'delete' && id !== undefined && isObject(data)
      ? entryOf(part.salt, {
          set: '',
          key,
          kind: change.kind,
          id,
          origin: 'found',
          protect: false,
          nowMs: nowMs(),
          // Records contain no secrets, and no hashes of secrets.
          fields: omitSecrets(change.kind.schema, data, { texts: confidential }).before,
          record,
          atSeconds: atMs === undefined ? undefined : Math.floor(atMs / 1000) + gregorianOffset,
        })
      : undefined;
  const effect = change
    ? compareWrite(change.kind.schema, { by: change.by, before, sent: data, after: record })
    : {};
  return {
    ...common,
    ok: true,
    ...omitUndefined({ id, requestId, charges, unseen: unlessEmpty(unseen) }),
    ...effect,
    ...omitUndefined({ entry: entry && after !== undefined ? { ...entry, natural: {} } : undefined }),
  };
}
