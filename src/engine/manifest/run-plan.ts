import { deferWork } from '../../base/concurrency.ts';
import { Failure, isWrongRecord } from '../../base/failure.ts';
import type { Clock, Timers } from '../../base/host/host.ts';
import { type JsonObject, omitUndefined, unlessEmpty } from '../../base/json.ts';
import { effectOf } from '../../contract/write-effect.ts';
import type { LedgerKeeper } from '../state/keep-ledger.ts';
import type { LedgerEntry } from '../state/ledger.ts';
import { type LogLine, objectKey } from '../state/log.ts';
import { afterOf, beforeDelete, beforeUpdate, type OldValues } from './apply/old-values.ts';
import { perform, runSteps } from './apply/perform.ts';
import { withReferences } from './desired.ts';
import { type Kind, kindByName } from './kinds.ts';
import type { OwnIds } from './own-ids.ts';
import type { ApplyReport, Observed, Performed, Plan, Step, StepResult } from './plan.ts';
import type { SentFile, Service } from './service.ts';

export interface RunParts {
  /** The account, spoken to so that Ctrl-C does not break off what is under way. */
  readonly service: Service;
  readonly observed: Observed;
  readonly ledger: LedgerKeeper;
  entryAfter(step: Step, performed: Performed): LedgerEntry | undefined;
  /** Ids that the object of a create can bring along; none where the service gives them. */
  ownIds(step: Step): OwnIds;
  /** Content of the file that a step uploads. Throws `Failure` where it is not what was planned. */
  fileOf(step: Step): SentFile;
  /** Dotted paths of an object that are never shown. */
  confidential(key: string): readonly string[];
  /** Writes a line of the log at once. Throws `Failure` if that fails. */
  log(line: LogLine): Promise<void>;
  /** Number of the run in the log. */
  readonly run: string | undefined;
  readonly clock: Clock;
  readonly soon: Timers['soon'];
  /** No step starts after this. */
  readonly interrupted: AbortSignal;
  /** Most steps under way at once; the rate limiter decides when their requests go. */
  readonly atOnce: number;
  /** Told when the run is interrupted, and how many steps are under way then. */
  stopping(running: number): void;
  /** Rule for whether a failure stops the rest. Refused charges do not. */
  readonly onError: 'stop' | 'continue';
  /** Called for each result, with the number of results so far, and the record that the service returned. */
  told(result: StepResult, over: number, total: number, record?: JsonObject): void;
}

/**
 * Carries a plan out. Each call stands in the log before it is made, and once it is over; the next ones are sent first,
 * so that the service need not wait for log and ledger. What goes wrong on the way is in the report.
 */
export async function runPlan(plan: Plan, parts: RunParts): Promise<ApplyReport> {
  const { clock, interrupted, ledger, observed, onError, atOnce } = parts;
  const startMs = clock.now();
  const steps = plan.steps.filter(({ by }) => by !== undefined);
  const results = new Map<string, StepResult>();
  const ids = new Map([...observed.matches].map(([key, { id }]) => [key, id]));
  const filledIn = (fields: JsonObject): JsonObject => withReferences(fields, (key) => ids.get(key));
  const knownIds = idsByKind(observed);
  let stopping: Failure | undefined;
  let trouble: Failure | undefined;

  const record = (result: StepResult, returned?: JsonObject): void => {
    results.set(result.step.key, result);
    parts.told(result, results.size, steps.length, returned);
  };
  /** Without a log nothing more is done, since nobody could tell later what was. */
  const write = async (line: LogLine): Promise<boolean> => {
    try {
      await parts.log(line);
      return true;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      trouble ??= error;
      return false;
    }
  };
  const saveNowAndThen = async (): Promise<void> => {
    try {
      await ledger.saveNowAndThen(clock.now());
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      trouble ??= error;
    }
  };
  const later = deferWork(parts.soon);
  const noteDone = async (step: Step, performed: Performed): Promise<void> => {
    const { id, found, charges, answer } = performed;
    const { requestId } = answer;
    const entry = parts.entryAfter({ ...step, managed: filledIn(step.managed) }, performed);
    if (entry) ledger.put(entry);
    else ledger.remove(plan.set, step.key);
    const before = step.action === 'update' ? observed.matches.get(objectKey(step))?.record : undefined;
    const { schema } = kindByName(step.kind);
    const sent = step.send && filledIn(step.send);
    const told = effectOf(schema, { by: step.by, before, sent, after: answer.record });
    record(
      { step, outcome: found ? 'found' : 'done', found, id, requestId, charges, ...told },
      answer.record,
    );
    const seen = found && (true as const);
    await write({
      line: 'end',
      key: step.key,
      ok: true,
      id,
      ...omitUndefined({ requestId, found: seen, charges }),
      ...told,
      ...omitUndefined({ entry }),
    });
  };
  const noteFailed = async (step: Step, failure: Failure): Promise<void> => {
    const { kind, message, requestId, inDoubt } = failure;
    record({ step, outcome: inDoubt ? 'unknown' : 'failed', failure, requestId });
    if (stops(failure, onError)) stopping ??= failure;
    // A step without an end in the log is one of which nobody knows whether it was done.
    if (inDoubt || isWrongRecord(failure)) return;
    await write({
      line: 'end',
      key: step.key,
      ok: false,
      ...omitUndefined({ requestId }),
      error: { kind, message },
    });
  };
  const work = async (planned: Step): Promise<boolean> => {
    const { completes } = planned;
    // What the ledger says of the object by then is part of what is written before the call.
    if (completes !== undefined) await later.done();
    const id = completes === undefined ? undefined : ids.get(completes);
    const step: Step = id === undefined ? planned : { ...planned, id };
    const data = filledIn(step.send ?? {});
    if (!(await write(beginLine(step, data, plan.set, parts)))) {
      record({
        step,
        outcome: 'skipped',
        because: trouble?.kind === 'conflict' ? 'its lock was lost' : 'the log cannot be written',
      });
      return false;
    }
    try {
      const { service, fileOf, ownIds } = parts;
      const performed = await perform(step, data, { service, fileOf, knownIds, ownIds });
      if (step.by === 'create') {
        ids.set(step.key, performed.id);
        knownIds(kindByName(step.kind)).add(performed.id);
      }
      const note = async (): Promise<void> => {
        await noteDone(step, performed);
        await saveNowAndThen();
      };
      // What may have cost something is written down before all else, and so is all that is done one by one.
      const isUrgent = atOnce === 1 || step.mayCost === true || performed.charges !== undefined;
      if (isUrgent) await note();
      else later.add(note);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await noteFailed(step, error);
      return false;
    }
    return true;
  };

  let running = 0;
  const onInterrupt = (): void => parts.stopping(running);
  interrupted.addEventListener('abort', onInterrupt, { once: true });
  await runSteps(steps, {
    atOnce,
    async work(step) {
      running += 1;
      const ok = await work(step);
      running -= 1;
      return ok;
    },
    skip: (step, failed) =>
      record({ step, outcome: 'skipped', because: `it comes after ${failed.label}, which was not done` }),
    stopped: () => interrupted.aborted || stopping !== undefined || trouble !== undefined,
  });
  interrupted.removeEventListener('abort', onInterrupt);
  await later.done();
  for (const step of steps) {
    if (!results.has(step.key)) record({ step, outcome: 'skipped', because: 'not begun' });
  }
  return {
    plan,
    accountId: parts.service.accountId,
    run: parts.run,
    results: steps.flatMap(({ key }) => results.get(key) ?? []),
    interrupted: interrupted.aborted && [...results.values()].some(wasCutOff),
    trouble,
    tookMs: clock.now() - startMs,
  };
}

/** Tells whether a step was not done, or not known to be, because the run was to end. */
const wasCutOff = ({ outcome, failure }: StepResult): boolean =>
  outcome === 'skipped' || failure?.kind === 'interrupted';

/** True if no further step starts after a failure. */
function stops({ kind, status }: Failure, onError: RunParts['onError']): boolean {
  if (kind === 'charges') return false;
  if (onError === 'stop') return true;
  // The rest would only fail the same way.
  return (
    kind === 'interrupted' ||
    kind === 'refused' ||
    (kind === 'auth' && status !== 403) ||
    (kind === 'unavailable' && (status === undefined || status === 429))
  );
}

function beginLine(step: Step, data: JsonObject, set: string, parts: RunParts): LogLine {
  const { key, action, id } = step;
  const entry = parts.ledger.entry(set, objectKey(step));
  const old = oldValuesOf(step, data, entry, parts);
  const sent = (): JsonObject =>
    step.by === 'upload'
      ? { file: step.file?.name ?? '' }
      : afterOf(kindByName(step.kind).schema, data, { paths: parts.confidential(objectKey(step)) });
  return {
    line: 'begin',
    key,
    action,
    ...omitUndefined({
      id,
      before: old?.before,
      unkept: old && unlessEmpty(old.unkept),
      after: step.by === 'delete' ? undefined : sent(),
      entry: step.releases === undefined ? entry : undefined,
    }),
  };
}

function oldValuesOf(
  step: Step,
  data: JsonObject,
  entry: LedgerEntry | undefined,
  parts: RunParts,
): OldValues | undefined {
  const { by } = step;
  if (by === undefined || by === 'create' || by === 'call') return undefined;
  // The file that was there is kept nowhere.
  if (by === 'upload') return { before: {}, unkept: ['file'] };
  const kind = kindByName(step.kind);
  const key = objectKey(step);
  const { matches, abandoned } = parts.observed;
  const { record } = matches.get(key) ?? abandoned.get(key) ?? {};
  // What came from outside the manifest then is as confidential as what does now.
  const confidential = [...parts.confidential(key), ...(entry?.confidential ?? [])];
  return by === 'delete'
    ? beforeDelete(kind, record, confidential)
    : beforeUpdate(kind, record, { send: data, by }, confidential);
}

/** Ids that are known of each kind: those seen before, and those created since. */
function idsByKind({ listed }: Observed): (kind: Kind) => Set<string> {
  const known = new Map<string, Set<string>>();
  return ({ name }) => {
    const found =
      known.get(name) ??
      new Set(listed.get(name)?.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])) ?? []);
    known.set(name, found);
    return found;
  };
}
