import type { Failure } from '../../base/failure.ts';
import { type Json, type JsonObject, omitUndefined } from '../../base/json.ts';
import type { WriteEffect } from '../../contract/write-effect.ts';
import { isWholeStep } from '../state/log.ts';
import type { WantedFile } from './desired.ts';
import type { Duplicate } from './duplicates.ts';
import type { KindName } from './kinds.ts';
import type { ServiceAnswer } from './service.ts';

export const planVersion = 1;

/** Can be stored as JSON. `apply` applies the value that `plan` shows. */
export interface Plan {
  readonly version: typeof planVersion;
  readonly account: { readonly id: string | undefined; readonly name: string; readonly origin: string };
  readonly set: string;
  /** In a possible order. Includes unchanged and unverifiable objects. */
  readonly steps: readonly Step[];
  readonly kept?: readonly KeptObject[];
  readonly doubles?: readonly Doubled[];
}

/** `id` is used. With `deleted`, the others are deleted. */
export interface Doubled {
  readonly key: string;
  readonly label: string;
  readonly id: string;
  readonly others: readonly string[];
  readonly deleted?: true;
}

/** The manifest does not contain the object, and it is kept. */
export interface KeptObject {
  readonly key: string;
  readonly label: string;
  readonly why: 'not-pruned' | 'protected' | 'found' | 'signed-in' | 'other-set';
}

export type Action = 'create' | 'update' | 'unchanged' | 'delete' | 'unverifiable';

export interface Step {
  /** Key of the object, such as `users.alice`. Steps with `releases` or `completes` have their own keys. */
  readonly key: string;
  readonly kind: KindName;
  readonly name: string;
  readonly label: string;
  readonly action: Action;
  readonly id?: string;
  readonly changes: readonly Change[];
  /** Request body with references, and secrets in clear text. Only `shownPlan` may leave the process. */
  readonly send?: JsonObject;
  readonly by?: 'create' | 'patch' | 'replace' | 'delete' | 'upload' | 'call';
  readonly call?: EndingRequest;
  /** Only `upload` steps send the file. For other steps, the service has it. */
  readonly file?: WantedFile;
  /** Keys of steps that must succeed first. */
  readonly after: readonly string[];
  readonly mayCost?: true;
  /** Fields that others changed and that this step overwrites. */
  readonly drifted?: readonly string[];
  readonly notes: readonly string[];
  /** Wanted fields, with references. After the step, the ledger stores their hashes. */
  readonly managed: JsonObject;
  readonly protect: boolean;
  /** The manifest set that manages the object. It is taken over only if the user asks for it. */
  readonly takesFrom?: string;
  /** Key of the step whose object temporarily releases a value, so that others can take it. */
  readonly releases?: string;
  /** Key of the step that omitted the fields or file of this step. That step may provide the id. */
  readonly completes?: string;
  /** Id of the deleted record that an undo creates again. */
  readonly replaces?: string;
}

/** Changes no record, and cannot be undone. */
export interface EndingRequest {
  readonly operation: string;
  readonly path: Readonly<Record<string, string>>;
  readonly data?: JsonObject;
}

export const secondStep = (
  { key, kind, name, label, id, managed, protect }: Step,
  word: 'late' | 'release' | 'file',
  ...notes: readonly string[]
): Omit<Step, 'changes'> => ({
  key: `${key}:${word}`,
  kind,
  name,
  label,
  action: 'update',
  ...omitUndefined({ id }),
  after: [],
  notes,
  managed,
  protect,
});

export interface Change {
  /** Dotted path. A dot inside a key is `%2E`. Steps of a flow are `flow/2/_`. */
  readonly path: string;
  readonly how: 'set' | 'changed' | 'removed' | 'added' | 'moved';
  /** Omitted for secrets. */
  readonly before?: Json;
  readonly after?: Json;
  readonly secret?: true;
  /** For example, `env.NAME` or `file.PATH`. */
  readonly sources?: readonly string[];
  /** Others changed the value since telctl last wrote it. */
  readonly drift?: true;
  /** Former place of a moved branch. */
  readonly from?: string;
}

export type Counts = Readonly<Record<Action, number>>;

export interface Observed {
  readonly account: ObservedAccount;
  /** Objects without a match are created. */
  readonly matches: ReadonlyMap<string, LiveObject>;
  /** Includes duplicates to delete, by `doubleKey`. */
  readonly abandoned: ReadonlyMap<string, LiveObject>;
  /** By key. No manifest set manages them. */
  readonly doubles: ReadonlyMap<string, readonly string[]>;
  /** Keys of objects of the set that others deleted. */
  readonly vanished: ReadonlySet<string>;
  /** Summaries from lists, to detect clashes of unique fields. */
  readonly listed: ReadonlyMap<KindName, readonly JsonObject[]>;
  /** For these kinds, `matches` has the ids of the ledger. */
  readonly unreadable: ReadonlySet<KindName>;
  /** Gregorian second, by the service's clock. The observation was valid until its end. */
  readonly atSeconds: number | undefined;
  /** Kinds whose lists ignore filters by time. */
  readonly unfiltered: ReadonlySet<KindName>;
}

/** Returns `menus.main=4f2a…`. */
export const doubleKey = (key: string, id: string): string => `${key}=${id}`;

export interface ObservedAccount {
  /** `undefined` for a sub-account that the manifest creates first. */
  readonly id: string | undefined;
  readonly name: string;
  readonly origin: string;
  /** The signed-in user, who is never deleted. */
  readonly ownerId: string | undefined;
}

export interface LiveObject {
  /** The kind's name for objects that an account has once. */
  readonly id: string;
  /** The complete record. If it is `undefined`, `known` has the reason. */
  readonly record: JsonObject | undefined;
  /**
   * `as-applied` if the object is unchanged and was written as the manifest describes it. `unreadable` if the service
   * does not show it.
   */
  readonly known?: 'as-applied' | 'unreadable';
  /** Set if the file was downloaded for the comparison. */
  readonly file?: { readonly sha256: string; readonly bytes: number };
}

/** `found`: the effect was found without a response. `unknown`: the effect cannot be checked. */
export type StepOutcome = 'done' | 'found' | 'failed' | 'unknown' | 'skipped';

export interface Performed {
  readonly id: string;
  readonly answer: ServiceAnswer;
  /** The response was lost, or another request created the object at the same time. */
  readonly found?: 'no-reply' | 'there';
  readonly charges?: string | undefined;
}

export interface StepResult extends Partial<WriteEffect> {
  readonly step: Step;
  readonly outcome: StepOutcome;
  readonly id?: string | undefined;
  readonly requestId?: string | undefined;
  readonly found?: Performed['found'];
  readonly failure?: Failure;
  readonly because?: string;
  readonly charges?: string | undefined;
}

export interface ApplyReport {
  readonly plan: Plan;
  readonly accountId: string | undefined;
  /** Number in the log. `undefined` without changes. */
  readonly run: string | undefined;
  readonly results: readonly StepResult[];
  readonly interrupted: boolean;
  readonly duplicates?: readonly Duplicate[];
  /** Problem of the log, the ledger or a lock that stopped the run, such as a full disk. */
  readonly trouble?: Failure | undefined;
  readonly tookMs: number;
}

export type ReportCounts = Readonly<
  Record<
    'created' | 'updated' | 'deleted' | 'unchanged' | 'unverifiable' | 'failed' | 'unknown' | 'skipped',
    number
  >
>;

const hasAction = (action: Step['action'], step: Step): boolean =>
  step.action === action && isWholeStep(step);

const isDone = ({ outcome }: StepResult): boolean => outcome === 'done' || outcome === 'found';

export const doneResults = ({ results }: ApplyReport): readonly StepResult[] => results.filter(isDone);

export const unknownResults = ({ results }: ApplyReport): readonly StepResult[] =>
  results.filter(({ outcome }) => outcome === 'unknown');

export const failedResults = ({ results }: ApplyReport): readonly StepResult[] =>
  results.filter(({ outcome }) => outcome === 'failed');

/** Returns unverifiable objects that may not exist, because the service cannot search for them. */
export const unverifiableSteps = ({ plan }: Pick<ApplyReport, 'plan'>): readonly Step[] =>
  plan.steps.filter(
    ({ action, id, by }) => action === 'unverifiable' && id === undefined && by === undefined,
  );

/** Returns true if the service accepted no part of the change. */
export const isWithoutEffect = ({ step, untaken = [] }: StepResult): boolean =>
  step.action === 'update' &&
  step.changes.length > 0 &&
  step.changes.every(({ path }) => untaken.includes(path));

export function reportCounts(report: ApplyReport): ReportCounts {
  const { results, plan } = report;
  const countDone = (action: Step['action']): number =>
    results.filter((result) => isDone(result) && !isWithoutEffect(result) && hasAction(action, result.step))
      .length;
  const planned = (action: Step['action']): number =>
    plan.steps.filter((step) => hasAction(action, step) && step.by === undefined).length;
  const made = new Set(doneResults(report).map(({ step }) => step.key));
  // A step that completes an object is not counted if the object was not created.
  const countOutcome = (outcome: StepOutcome): number =>
    results.filter(
      (result) =>
        result.outcome === outcome &&
        (result.step.completes === undefined || made.has(result.step.completes)),
    ).length;
  return {
    created: countDone('create'),
    updated: countDone('update'),
    deleted: countDone('delete'),
    unchanged: planned('unchanged'),
    unverifiable: planned('unverifiable') + results.filter(isWithoutEffect).length,
    failed: countOutcome('failed'),
    unknown: countOutcome('unknown'),
    skipped: countOutcome('skipped'),
  };
}
