import { deferWork } from '../../base/concurrency.ts';
import { Failure, isWrongRecord } from '../../base/failure.ts';
import type { Clock, Timers } from '../../base/host/host.ts';
import { type JsonObject, omitUndefined, unlessEmpty } from '../../base/json.ts';
import { compareWrite } from '../../contract/write-effect.ts';
import type { LedgerKeeper } from '../state/keep-ledger.ts';
import type { LedgerEntry } from '../state/ledger.ts';
import { type LogLine, objectKey } from '../state/log.ts';
import { loggedValues, type OldValues, valuesBeforeDelete, valuesBeforeUpdate } from './apply/old-values.ts';
import { performStep } from './apply/perform.ts';
import { runSteps } from './apply/run-steps.ts';
import { withReferences } from './desired.ts';
import { type Kind, kindByName } from './kinds.ts';
import type { OwnIds } from './own-ids.ts';
import type { ApplyReport, Observed, Performed, Plan, Step, StepResult } from './plan.ts';
import type { SentFile, Service } from './service.ts';

export interface RunParts {
  /** An interrupt does not abort its requests. */
  readonly service: Service;
  readonly observed: Observed;
  readonly ledger: LedgerKeeper;
  entryAfter(step: Step, performed: Performed): LedgerEntry | undefined;
  /** Returns ids for a new object. Empty if the service chooses the id. */
  ownIds(step: Step): OwnIds;
  /** Throws `Failure` if the file differs from the plan. */
  fileOf(step: Step): SentFile;
  confidential(key: string): readonly string[];
  /** Throws `Failure` if the line cannot be written. */
  log(line: LogLine): Promise<void>;
  readonly run: string | undefined;
  readonly clock: Clock;
  readonly soon: Timers['soon'];
  readonly interrupted: AbortSignal;
  /** The rate limiter decides when requests are sent. */
  readonly atOnce: number;
  /** Called on an interrupt with the number of running steps. */
  onInterrupt(running: number): void;
  /** Refused charges never stop other steps. */
  readonly onError: 'stop' | 'continue';
  /** Called with each result, the number of results and of steps, and the record that the service returned. */
  onResult(result: StepResult, over: number, total: number, record?: JsonObject): void;
}

/** Logs a line before each request and after its end. Requests do not wait for end lines of earlier requests. */
export const runPlan = (plan: Plan, parts: RunParts): Promise<ApplyReport> => new PlanRun(plan, parts).run();

class PlanRun {
  readonly #plan: Plan;
  readonly #parts: RunParts;
  readonly #steps: readonly Step[];
  readonly #results = new Map<string, StepResult>();
  /** By key. Includes created objects. */
  readonly #ids: Map<string, string>;
  readonly #knownIds: (kind: Kind) => Set<string>;
  readonly #notes: ReturnType<typeof deferWork>;
  #running = 0;
  /** After this failure, no step starts. */
  #stopping: Failure | undefined;
  #trouble: Failure | undefined;

  constructor(plan: Plan, parts: RunParts) {
    this.#plan = plan;
    this.#parts = parts;
    this.#steps = plan.steps.filter(({ by }) => by !== undefined);
    this.#ids = new Map([...parts.observed.matches].map(([key, { id }]) => [key, id]));
    this.#knownIds = idsByKind(parts.observed);
    this.#notes = deferWork(parts.soon);
  }

  async run(): Promise<ApplyReport> {
    const { clock, interrupted, atOnce, service } = this.#parts;
    const startMs = clock.now();
    const onInterrupt = (): void => this.#parts.onInterrupt(this.#running);
    interrupted.addEventListener('abort', onInterrupt, { once: true });
    await runSteps(this.#steps, {
      atOnce,
      work: async (step) => {
        this.#running += 1;
        const ok = await this.#runStep(step);
        this.#running -= 1;
        return ok;
      },
      skip: (step, failed) =>
        this.#record({
          step,
          outcome: 'skipped',
          because: `${failed.label}, which it depends on, was not done`,
        }),
      stopped: () => interrupted.aborted || this.#stopping !== undefined || this.#trouble !== undefined,
    });
    interrupted.removeEventListener('abort', onInterrupt);
    await this.#notes.done();
    for (const step of this.#steps)
      if (!this.#results.has(step.key)) this.#record({ step, outcome: 'skipped', because: 'not begun' });
    const results = this.#steps.flatMap(({ key }) => this.#results.get(key) ?? []);
    return {
      plan: this.#plan,
      accountId: service.accountId,
      run: this.#parts.run,
      results,
      interrupted: interrupted.aborted && results.some(wasCutOff),
      trouble: this.#trouble,
      tookMs: clock.now() - startMs,
    };
  }

  async #runStep(planned: Step): Promise<boolean> {
    const { completes } = planned;
    // The line before the request contains the object's entry, which must be in the ledger.
    if (completes !== undefined) await this.#notes.done();
    const id = completes === undefined ? undefined : this.#ids.get(completes);
    const step: Step = id === undefined ? planned : { ...planned, id };
    const data = this.#fillIn(step.send ?? {});
    if (!(await this.#write(beginLine(step, data, this.#plan.set, this.#parts)))) {
      const because = this.#trouble?.kind === 'conflict' ? 'its lock was lost' : 'the log cannot be written';
      this.#record({ step, outcome: 'skipped', because });
      return false;
    }
    try {
      const { service, fileOf, ownIds } = this.#parts;
      const performed = await performStep(step, data, { service, fileOf, knownIds: this.#knownIds, ownIds });
      await this.#finishStep(step, performed);
      return true;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await this.#noteFailed(step, error);
      return false;
    }
  }

  async #finishStep(step: Step, performed: Performed): Promise<void> {
    if (step.by === 'create') {
      this.#ids.set(step.key, performed.id);
      this.#knownIds(kindByName(step.kind)).add(performed.id);
    }
    const noteResult = async (): Promise<void> => {
      await this.#noteDone(step, performed);
      await this.#keepTrouble(this.#parts.ledger.saveIfDue(this.#parts.clock.now()));
    };
    // Steps that may have cost money are written first. Without parallel steps, all are written immediately.
    const isUrgent = this.#parts.atOnce === 1 || step.mayCost === true || performed.charges !== undefined;
    if (isUrgent) await noteResult();
    else this.#notes.add(noteResult);
  }

  async #noteDone(step: Step, performed: Performed): Promise<void> {
    const { entryAfter, ledger, observed } = this.#parts;
    const { id, found, charges, answer } = performed;
    const { requestId } = answer;
    const entry = entryAfter({ ...step, managed: this.#fillIn(step.managed) }, performed);
    if (entry) ledger.put(entry);
    else ledger.remove(this.#plan.set, step.key);
    const before = step.action === 'update' ? observed.matches.get(objectKey(step))?.record : undefined;
    const { schema } = kindByName(step.kind);
    const sent = step.send && this.#fillIn(step.send);
    const effect = compareWrite(schema, { by: step.by, before, sent, after: answer.record });
    const outcome = found ? 'found' : 'done';
    this.#record({ step, outcome, found, id, requestId, charges, ...effect }, answer.record);
    await this.#write({
      line: 'end',
      key: step.key,
      ok: true,
      id,
      ...omitUndefined({ requestId, found: found && (true as const), charges }),
      ...effect,
      ...omitUndefined({ entry }),
    });
  }

  async #noteFailed(step: Step, failure: Failure): Promise<void> {
    const { kind, message, requestId, inDoubt } = failure;
    this.#record({ step, outcome: inDoubt ? 'unknown' : 'failed', failure, requestId });
    if (stopsRun(failure, this.#parts.onError)) this.#stopping ??= failure;
    // Without an end line in the log, a step may or may not be done.
    if (inDoubt || isWrongRecord(failure)) return;
    const error = { kind, message };
    await this.#write({ line: 'end', key: step.key, ok: false, ...omitUndefined({ requestId }), error });
  }

  #record(result: StepResult, returned?: JsonObject): void {
    this.#results.set(result.step.key, result);
    this.#parts.onResult(result, this.#results.size, this.#steps.length, returned);
  }

  /** Returns false if the line cannot be written. No step starts then, because it could not be undone. */
  #write(line: LogLine): Promise<boolean> {
    return this.#keepTrouble(this.#parts.log(line));
  }

  async #keepTrouble(writing: Promise<void>): Promise<boolean> {
    try {
      await writing;
      return true;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#trouble ??= error;
      return false;
    }
  }

  #fillIn(fields: JsonObject): JsonObject {
    return withReferences(fields, (key) => this.#ids.get(key));
  }
}

const wasCutOff = ({ outcome, failure }: StepResult): boolean =>
  outcome === 'skipped' || failure?.kind === 'interrupted';

function stopsRun({ kind, status }: Failure, onError: RunParts['onError']): boolean {
  if (kind === 'charges') return false;
  if (onError === 'stop') return true;
  // Other steps would fail the same way.
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
  const old = oldStepValues(step, data, entry, parts);
  const sentValues = (): JsonObject =>
    step.by === 'upload'
      ? { file: step.file?.name ?? '' }
      : loggedValues(kindByName(step.kind).schema, data, { paths: parts.confidential(objectKey(step)) });
  return {
    line: 'begin',
    key,
    action,
    ...omitUndefined({
      id,
      before: old?.before,
      unkept: old && unlessEmpty(old.unkept),
      after: step.by === 'delete' ? undefined : sentValues(),
      entry: step.releases === undefined ? entry : undefined,
    }),
  };
}

function oldStepValues(
  step: Step,
  data: JsonObject,
  entry: LedgerEntry | undefined,
  parts: RunParts,
): OldValues | undefined {
  const { by } = step;
  if (by === undefined || by === 'create' || by === 'call') return undefined;
  // The old file is not stored.
  if (by === 'upload') return { before: {}, unkept: ['file'] };
  const kind = kindByName(step.kind);
  const key = objectKey(step);
  const { matches, abandoned } = parts.observed;
  const { record } = matches.get(key) ?? abandoned.get(key) ?? {};
  // Values that were confidential at the last apply still are.
  const confidential = [...parts.confidential(key), ...(entry?.confidential ?? [])];
  return by === 'delete'
    ? valuesBeforeDelete(kind, record, confidential)
    : valuesBeforeUpdate(kind, record, { send: data, by }, confidential);
}

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
