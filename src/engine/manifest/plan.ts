import type { Failure } from '../../base/failure.ts';
import { type Json, type JsonObject, omitUndefined } from '../../base/json.ts';
import type { WriteEffect } from '../../contract/write-effect.ts';
import { isWholeStep } from '../state/log.ts';
import type { WantedFile } from './desired.ts';
import type { Duplicate } from './duplicates.ts';
import type { KindName } from './kinds.ts';
import type { ServiceAnswer } from './service.ts';

export const planVersion = 1;

/**
 * Plan of the changes to one account. A pure value: it survives JSON, and the same desired and observed state always
 * gives the same plan. `diff` and `plan` show it, `apply` carries out that same value.
 */
export interface Plan {
  readonly version: typeof planVersion;
  readonly account: { readonly id: string | undefined; readonly name: string; readonly origin: string };
  readonly set: string;
  /** Steps in an order in which they can run one by one, including unchanged and unverifiable ones. */
  readonly steps: readonly Step[];
  readonly kept?: readonly KeptObject[];
  readonly doubles?: readonly Doubled[];
}

/** An object that stands in the account more than once: `id` is meant, and where `deleted` the others go. */
export interface Doubled {
  readonly key: string;
  readonly label: string;
  readonly id: string;
  readonly others: readonly string[];
  readonly deleted?: true;
}

/** An object of the set that the manifest no longer names and that stays. */
export interface KeptObject {
  readonly key: string;
  readonly label: string;
  readonly why: 'not-pruned' | 'protected' | 'found' | 'signed-in' | 'other-set';
}

export type Action = 'create' | 'update' | 'unchanged' | 'delete' | 'unverifiable';

/** Planned action on one object. */
export interface Step {
  /** Key of the object, `users.alice`; of the ledger's entry for a delete. What `releases` or `completes` has its own. */
  readonly key: string;
  readonly kind: KindName;
  readonly name: string;
  /** `user alice`, `callflow "Main line"` */
  readonly label: string;
  readonly action: Action;
  readonly id?: string;
  readonly changes: readonly Change[];
  /**
   * Body that is sent, references still in it: the whole record for a create or a replacement, the part for a patch.
   * Secrets are in clear here; `shownPlan` is what may leave the process.
   */
  readonly send?: JsonObject;
  /** The call; absent if no request is sent. */
  readonly by?: 'create' | 'patch' | 'replace' | 'delete' | 'upload' | 'call';
  /** Request of a `call`. */
  readonly call?: EndingRequest;
  /** The file that the manifest names for the object; sent by an `upload`, known to be there in other steps. */
  readonly file?: WantedFile;
  /** Keys of the steps that must have succeeded before. */
  readonly after: readonly string[];
  readonly mayCost?: true;
  /** Fields that others changed since telctl last wrote them: this step would set them back. */
  readonly drifted?: readonly string[];
  /** Sentences for people: why it is unverifiable, what a replacement sends besides. */
  readonly notes: readonly string[];
  /** Everything that is written into the ledger once the step is done, hashed there: fields wanted, references in it. */
  readonly managed: JsonObject;
  readonly protect: boolean;
  /** The manifest set that manages the object now: it is taken from there only where somebody says so. */
  readonly takesFrom?: string;
  /** Key of the step whose object gives up a value for a while, so that others can take it. */
  readonly releases?: string;
  /** Key of the step that left out what this one sends (what refers back, a file), and that may give its id. */
  readonly completes?: string;
  /** In an undo, the id of the deleted record that is created again. */
  readonly replaces?: string;
}

/** A request that ends something live, such as the sessions of a user. It changes no record, and cannot be undone. */
export interface EndingRequest {
  /** Id of the operation. */
  readonly operation: string;
  readonly path: Readonly<Record<string, string>>;
  readonly data?: JsonObject;
}

/** A second step of an object, in addition to the one that creates or changes it. */
export const stepBeside = (
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
  /** Dotted path; a dot inside a key is `%2E`. Steps of a flow are `flow/2/_`. */
  readonly path: string;
  readonly how: 'set' | 'changed' | 'removed' | 'added' | 'moved';
  /** Absent if there was no value, or if it is secret. */
  readonly before?: Json;
  readonly after?: Json;
  readonly secret?: true;
  /** Sources of the value or of a part of it: `env.NAME`, `file.PATH`. */
  readonly sources?: readonly string[];
  /** Others changed it since telctl last wrote it. */
  readonly drift?: true;
  /** Former place of a moved branch of a flow. */
  readonly from?: string;
}

export type Counts = Readonly<Record<Action, number>>;

/** What an account is before a plan, as far as the manifest and the ledger are about it. */
export interface Observed {
  readonly account: ObservedAccount;
  /** The live object that is meant by an object of the manifest, by its key. None: it is to be created. */
  readonly matches: ReadonlyMap<string, LiveObject>;
  /** Objects of the set's ledger that exist and that the manifest no longer names, by key; doubles to delete by `doubleKey`. */
  readonly abandoned: ReadonlyMap<string, LiveObject>;
  /** Ids of other objects by the name of an object of the manifest, by its key; no manifest set manages them. */
  readonly doubles: ReadonlyMap<string, readonly string[]>;
  /** Keys of objects of the set's ledger that others deleted. */
  readonly vanished: ReadonlySet<string>;
  /** All objects of the kinds that matter, as lists show them (with `id`): for clashes of unique fields. */
  readonly listed: ReadonlyMap<KindName, readonly JsonObject[]>;
  /** Kinds that cannot be read, or of which there is no list: `matches` has what the ledger knows by id. */
  readonly unreadable: ReadonlySet<KindName>;
  /** All of it was so at the end of this Gregorian second or later, by the service's clock; `undefined`: it tells no time. */
  readonly atSeconds: number | undefined;
  /** Kinds whose lists turned out to ignore filters by time, for the ledger. */
  readonly unfiltered: ReadonlySet<KindName>;
}

/** Key of a duplicate of an object of a manifest: `menus.main=4f2a…`. */
export const doubleKey = (key: string, id: string): string => `${key}=${id}`;

export interface ObservedAccount {
  /** `undefined`: a sub-account that this manifest creates first. */
  readonly id: string | undefined;
  readonly name: string;
  readonly origin: string;
  /** The signed-in user, who is never deleted. */
  readonly ownerId: string | undefined;
}

export interface LiveObject {
  /** Its id; the kind's name for objects that an account has once. */
  readonly id: string;
  /** The whole record as the service returned it. `undefined` if it was not read; `known` contains the reason. */
  readonly record: JsonObject | undefined;
  /** `as-applied`: nobody changed it since telctl wrote just what is wanted. `unreadable`: the service does not show it. */
  readonly known?: 'as-applied' | 'unreadable';
  /** Its file, if it had to be downloaded for the comparison. */
  readonly file?: { readonly sha256: string; readonly bytes: number };
}

/**
 * Outcome of a step. `found`: what it sent was there without a reply that said so. `unknown`: no proper reply came,
 * and nobody could check whether it was done.
 */
export type StepOutcome = 'done' | 'found' | 'failed' | 'unknown' | 'skipped';

/** Result of a step that succeeded. */
export interface Performed {
  readonly id: string;
  readonly answer: ServiceAnswer;
  /** What was sent turned out to be there: no reply came, or somebody else made it at the same time. */
  readonly found?: 'no-reply' | 'there';
  /** Charges that were accepted for it, as text. */
  readonly charges?: string | undefined;
}

export interface StepResult extends Partial<WriteEffect> {
  readonly step: Step;
  readonly outcome: StepOutcome;
  readonly id?: string | undefined;
  readonly requestId?: string | undefined;
  readonly found?: Performed['found'];
  readonly failure?: Failure;
  /** Reason why it was not begun. */
  readonly because?: string;
  /** Charges that were accepted, as text. */
  readonly charges?: string | undefined;
}

export interface ApplyReport {
  readonly plan: Plan;
  readonly accountId: string | undefined;
  /** Number of the run in the log; `undefined` if there were no changes. */
  readonly run: string | undefined;
  /** In the order of the plan. */
  readonly results: readonly StepResult[];
  /** It was stopped by Ctrl-C. */
  readonly interrupted: boolean;
  /** Records that another runner created at the same time. */
  readonly duplicates?: readonly Duplicate[];
  /** Trouble that stopped it and is not that of a single step, such as a full disk. */
  readonly trouble?: Failure | undefined;
  readonly tookMs: number;
}

export type ReportCounts = Readonly<
  Record<
    'created' | 'updated' | 'deleted' | 'unchanged' | 'unverifiable' | 'failed' | 'unknown' | 'skipped',
    number
  >
>;

const isOf = (action: Step['action'], step: Step): boolean => step.action === action && isWholeStep(step);

const isDone = ({ outcome }: StepResult): boolean => outcome === 'done' || outcome === 'found';

export const doneResults = ({ results }: ApplyReport): readonly StepResult[] => results.filter(isDone);

/** The steps whose outcome is unknown. */
export const unknownResults = ({ results }: ApplyReport): readonly StepResult[] =>
  results.filter(({ outcome }) => outcome === 'unknown');

export const failedResults = ({ results }: ApplyReport): readonly StepResult[] =>
  results.filter(({ outcome }) => outcome === 'failed');

/** Objects whose existence is unknown, because the service cannot search for them. */
export const unseenSteps = ({ plan }: Pick<ApplyReport, 'plan'>): readonly Step[] =>
  plan.steps.filter(
    ({ action, id, by }) => action === 'unverifiable' && id === undefined && by === undefined,
  );

/** True for a change that the service did not accept in any part. */
export const isUntaken = ({ step, untaken = [] }: StepResult): boolean =>
  step.action === 'update' &&
  step.changes.length > 0 &&
  step.changes.every(({ path }) => untaken.includes(path));

export function reportCounts(report: ApplyReport): ReportCounts {
  const { results, plan } = report;
  const done = (action: Step['action']): number =>
    results.filter((result) => isDone(result) && !isUntaken(result) && isOf(action, result.step)).length;
  const planned = (action: Step['action']): number =>
    plan.steps.filter((step) => isOf(action, step) && step.by === undefined).length;
  const made = new Set(doneResults(report).map(({ step }) => step.key));
  // What completes an object that was not made is no further loss.
  const ended = (outcome: StepOutcome): number =>
    results.filter(
      (result) =>
        result.outcome === outcome &&
        (result.step.completes === undefined || made.has(result.step.completes)),
    ).length;
  return {
    created: done('create'),
    updated: done('update'),
    deleted: done('delete'),
    unchanged: planned('unchanged'),
    unverifiable: planned('unverifiable') + results.filter(isUntaken).length,
    failed: ended('failed'),
    unknown: ended('unknown'),
    skipped: ended('skipped'),
  };
}
