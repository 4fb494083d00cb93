import { Failure, isWrongRecord } from '../../base/failure.ts';
import { isObject, type JsonObject, omitUndefined, unlessEmpty } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import { type OutsideValues, replaceOutsideValues } from '../../base/outside-values.ts';
import type { Recorder, Write, WriteEnd } from '../../client/api/recorder.ts';
import { timestampMs } from '../../client/api/unwrap.ts';
import { sectionsOf } from '../../contract/manifest-section.ts';
import { resourceOf } from '../../contract/resource.ts';
import type { Operation } from '../../contract/types.ts';
import { effectOf, effectWords } from '../../contract/write-effect.ts';
import { saltedHash } from '../state/ledger.ts';
import type { BeginLine, EndLine, LoggedStep, LogLine, RunFacts, StartLine } from '../state/log.ts';
import type { RunWriter, State } from '../state/state.ts';
import { afterOf, beforeDelete, beforeUpdate, shownOf } from './apply/old-values.ts';
import { desiredLabel } from './desired.ts';
import type { Kind } from './kinds.ts';
import { entryOf } from './ledger/hashing.ts';

/** The signed-in user, the service, and the account that the run is begun as. */
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
  /** Texts that came from the environment or from files: they are written nowhere. */
  readonly confidential: ReadonlySet<string>;
  /** The same with their sources, which name a record that has such a text as its natural key. */
  readonly outside: OutsideValues;
  /** Trouble of the state stops changes; otherwise they go on without a record, after a warning. */
  readonly insists: boolean;
  warn(line: string): void;
  /** Hears of a line that could not be written; throws what is no failure of the state. */
  late(error: unknown): void;
  readonly interrupted: AbortSignal;
}

export interface WriteLog extends Recorder {
  close(): Promise<void>;
}

interface Deed {
  readonly kind: Kind;
  readonly by: 'create' | 'patch' | 'replace' | 'delete';
  readonly id: string | undefined;
}

const verbs = ['create', 'patch', 'replace', 'delete'] as const;

const deeds = new Map<string, Pick<Deed, 'kind' | 'by'> | undefined>();

/**
 * The kind that an operation changes, and how: of the operation's own resource, so that no other is loaded for one
 * change. The account itself counts as its settings; `undefined` for what manifests do not know.
 */
function changeBy(operation: Operation): Pick<Deed, 'kind' | 'by'> | undefined {
  const { id } = operation;
  if (!deeds.has(id)) {
    const found = sectionsOf(resourceOf(operation)).flatMap((kind) =>
      verbs.filter((by) => kind.calls[by]?.id === id).map((by) => ({ kind, by })),
    );
    deeds.set(id, found.at(-1));
  }
  return deeds.get(id);
}

/** One account of the run. */
interface Part {
  readonly number: number;
  readonly salt: string;
  /** Uses of each key: the next step of the same object has a number behind it. */
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

/** Records what a command changes as one run of the log, which begins with its first change. */
export function writeLog(parts: RecorderParts): WriteLog {
  let opening: Promise<OpenRun | undefined> | undefined;
  const open = async (): Promise<OpenRun | undefined> => {
    try {
      const run = await (await parts.state()).log.begin();
      return { run, flushed: undefined, parts: new Map(), who: await parts.who(), done: 0, failed: 0 };
    } catch (error) {
      return unrecorded(error);
    }
  };
  const unrecorded = (error: unknown): undefined => {
    if (!(error instanceof Failure) || error.kind !== 'failed' || parts.insists) throw error;
    parts.warn(`${error.message} What is changed is not recorded, so that telctl undo knows nothing of it.`);
    return undefined;
  };
  const addTo = async (log: OpenRun, line: LogLine): Promise<boolean> => {
    try {
      await log.run.write(line);
      return true;
    } catch (error) {
      opening = Promise.resolve(undefined);
      unrecorded(error);
      return false;
    }
  };
  const partFor = async (log: OpenRun, accountId: string): Promise<Part> => {
    const begun = log.parts.get(accountId);
    if (begun) return begun;
    const number = log.parts.size + 1;
    const part = { number, salt: saltedHash(`${log.run.id} ${parts.nowMs()}`, accountId), keys: new Map() };
    const begins = addTo(log, startLine(log, accountId, part)).then(() => part);
    log.parts.set(accountId, begins);
    return begins;
  };
  const startLine = ({ run, who }: OpenRun, accountId: string, { number, salt }: Part): StartLine => ({
    line: 'start',
    version: 2,
    run: run.id,
    what: 'command',
    atMs: parts.nowMs(),
    pid: parts.pid,
    ...parts.facts,
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

  return {
    seen: new Map(),
    async begin(write) {
      const before = await write.before();
      opening ??= open();
      const log = await opening;
      if (!log) return async () => undefined;
      const deed = deedOf(write);
      // An account that is deleted is none any more: what was done, was done to the one above it.
      const isAccount = deed?.kind.name === 'accounts' && deed.by === 'delete';
      const part = await partFor(log, (isAccount ? undefined : write.path.account_id) ?? log.who.owner);
      const begin = beginLine(write, deed, before, part, parts);
      if (!(await addTo(log, begin))) return async () => undefined;
      // The disk gets it while the request is under way; the system has it now.
      log.flushed ??= log.run.flush().catch(() => undefined);
      return async (end) => {
        const line = endLine(write, deed, begin, end, before, part, parts);
        if (!line) return;
        for (const words of effectWords(begin.step.label, line)) parts.warn(words);
        if (line.ok) log.done += 1;
        else log.failed += 1;
        await addTo(log, line).catch(parts.late);
      };
    },
    async close() {
      const log = await opening;
      if (!log) return;
      const { run, done, failed, flushed } = log;
      const interrupted = parts.interrupted.aborted ? (true as const) : undefined;
      const counts = { done, failed, skipped: 0, ...omitUndefined({ interrupted }) };
      await addTo(log, { line: 'finish', atMs: parts.nowMs(), ...counts }).catch(parts.late);
      await flushed;
      await run.close();
    },
  };
}

/** The record that a write is about; `undefined` for what is done to none that manifests know. */
function deedOf({ operation, path }: Write): Deed | undefined {
  const deed = operation && changeBy(operation);
  if (!deed) return undefined;
  const { kind, by } = deed;
  if (kind.shape === 'one') return { ...deed, id: kind.name };
  if (by === 'create' && kind.keys[0] !== 'id') return { ...deed, id: undefined };
  const parameter = kind.name === 'accounts' ? 'account_id' : kind.resource.idParameter;
  return { kind, by, id: parameter === undefined ? undefined : path[parameter] };
}

function beginLine(
  write: Write,
  deed: Deed | undefined,
  before: JsonObject | undefined,
  part: Part,
  { confidential, outside }: Pick<RecorderParts, 'confidential' | 'outside'>,
): BeginLine & { readonly step: LoggedStep } {
  const data = isObject(write.data) ? write.data : undefined;
  const texts = { texts: confidential };
  const shown = [before, data].flatMap((record) =>
    record && deed ? [shownOf(deed.kind.schema, record, texts).before] : [],
  );
  const step = deed ? stepOf(deed, replaceOutsideValues(shown, outside)) : otherStep(write);
  const count = (part.keys.get(step.key) ?? 0) + 1;
  part.keys.set(step.key, count);
  const key = count === 1 ? step.key : `${step.key} #${count}`;
  const old = oldOf(write, deed, data, before);
  const after = data && deed?.by !== 'delete' ? afterOf(schemaOf(write, deed), data, texts) : undefined;
  return {
    line: 'begin',
    part: part.number,
    key,
    action: step.action,
    step: { ...step, key },
    ...omitUndefined({ id: deed?.id, before: old?.before, unkept: old && unlessEmpty(old.unkept), after }),
  };
}

const schemaOf = ({ operation }: Write, deed: Deed | undefined) =>
  operation?.body?.kind === 'value'
    ? operation.body.schema
    : (deed?.kind.schema ?? (operation ? resourceOf(operation).schema : {}));

function stepOf({ kind, by, id }: Deed, records: readonly JsonObject[]): LoggedStep {
  const named = kind.keys.flatMap((key) => records.map((record) => record[key]));
  const name = String(named.find((each) => typeof each === 'string') ?? id ?? '');
  return {
    key: kind.shape === 'one' ? kind.name : `${kind.name}.${id ?? name}`,
    kind: kind.name,
    action: by === 'create' ? 'create' : by === 'delete' ? 'delete' : 'update',
    label: desiredLabel(kind, name, records),
  };
}

/** A step that is about no record of manifests: named by its operation. */
function otherStep({ operation, method, address }: Write): LoggedStep {
  const call = `${method} ${address}`;
  if (!operation) return { key: call, kind: 'api', action: method.toLowerCase(), label: call };
  const { id, resource, verb, summary } = operation;
  return { key: id, kind: resource, action: verb, label: summary.replace(/\.$/, '') };
}

function oldOf(
  write: Write,
  deed: Deed | undefined,
  data: JsonObject | undefined,
  before: JsonObject | undefined,
) {
  if (deed?.by === 'create') return undefined;
  if (deed?.by === 'delete') return beforeDelete(deed.kind, before, []);
  if (deed) return beforeUpdate(deed.kind, before, { send: data ?? {}, by: deed.by }, []);
  return before && write.operation ? shownOf(resourceOf(write.operation).schema, before) : undefined;
}

/** The line about how a write ended; none where nobody knows whether it was carried out. */
function endLine(
  { operation, data }: Write,
  deed: Deed | undefined,
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
  const id = deed?.id ?? (typeof record?.id === 'string' ? record.id : undefined);
  const atMs = timestampMs(envelope.timestamp);
  const sent = deed && deed.by !== 'delete' && isObject(data) ? shownOf(deed.kind.schema, data).before : {};
  const unseen = isObject(reply)
    ? Object.keys(sent).filter((field) => (sent[field] ?? null) !== null && reply[field] === undefined)
    : [];
  const entry =
    deed && deed.by !== 'delete' && id !== undefined && isObject(data)
      ? entryOf(part.salt, {
          set: '',
          key,
          kind: deed.kind,
          id,
          origin: 'found',
          protect: false,
          nowMs: nowMs(),
          // Secrets stand in no record, nor do their hashes.
          fields: shownOf(deed.kind.schema, data, { texts: confidential }).before,
          record,
          atSeconds: atMs === undefined ? undefined : Math.floor(atMs / 1000) + gregorianOffset,
        })
      : undefined;
  const effect = deed ? effectOf(deed.kind.schema, { by: deed.by, before, sent: data, after: record }) : {};
  return {
    ...common,
    ok: true,
    ...omitUndefined({ id, requestId, charges, unseen: unlessEmpty(unseen) }),
    ...effect,
    ...omitUndefined({ entry: entry && after !== undefined ? { ...entry, natural: {} } : undefined }),
  };
}
