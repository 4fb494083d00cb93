import type { FailureKind } from '../../base/failure.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { LedgerEntry } from './ledger.ts';

/**
 * A line of a run in the log: a JSON object without secrets, written before and after every call. `apply --resume`,
 * `apply history` and `undo` read the lines. After a run was killed, its lines update the ledger. A run over several
 * accounts has a part for each account, which begins with a start line.
 */
export type LogLine = StartLine | BeginLine | EndLine | FinishLine;

export interface StartLine {
  readonly line: 'start';
  readonly version: 1 | 2;
  readonly run: string;
  /** `command` is any other command with changes. Its steps are only known when they begin. */
  readonly what: 'apply' | 'undo' | 'command';
  /** The run that an undo reverses. */
  readonly undoes?: string | undefined;
  readonly atMs: number;
  /** Distinguishes a run that is still active from one that was killed. */
  readonly pid: number;
  readonly account: { readonly id: string | undefined; readonly name: string; readonly origin: string };
  /** Id of the account that started the run. */
  readonly owner?: string | undefined;
  /** Differs for a later process with the same `pid`. Not available on all systems. */
  readonly process?: string | undefined;
  /** Default: this machine. */
  readonly machine?: string | undefined;
  /** Command line without secrets. */
  readonly command?: string | undefined;
  readonly note?: string | undefined;
  readonly ci?: Pipeline | undefined;
  readonly rollout?: string | undefined;
  /** Number of this part from 1, and number of accounts. */
  readonly part: number;
  readonly parts: number;
  /** Name of the user, or the id if the name is unknown. */
  readonly user: string | undefined;
  readonly userId?: string | undefined;
  readonly set: string;
  /** Salt of the hashes in the entries below. */
  readonly salt: string;
  readonly inputs: readonly { readonly name: string; readonly sha256: string }[];
  /** Options for `--resume`, without secrets. */
  readonly options: JsonObject;
  readonly steps: readonly LoggedStep[];
}

export type RunFacts = Pick<StartLine, 'command' | 'note' | 'ci' | 'machine' | 'process' | 'rollout'>;

export interface Pipeline {
  readonly id: string;
  readonly commit?: string;
  readonly actor?: string;
}

export interface LoggedStep {
  readonly key: string;
  readonly kind: string;
  /** `create`, `update`, `delete`, or the name of an action without a record, such as `reset-user-secret`. */
  readonly action: string;
  readonly label: string;
  /** Key of the step whose object temporarily gives up a value (see `Step`). */
  readonly releases?: string | undefined;
  /** Key of the create whose object gets its remaining fields (see `Step`). */
  readonly completes?: string | undefined;
  /** Id of the deleted record that an undo creates again. The new id is in the `end` line. */
  readonly replaces?: string | undefined;
}

export interface BeginLine {
  readonly line: 'begin';
  /** Default: the last part. */
  readonly part?: number;
  /** Set if the start line could not name the step. */
  readonly step?: LoggedStep;
  readonly key: string;
  readonly action: string;
  readonly id?: string;
  /** The merge patch that reverts an update, or the record before a delete. Without secrets. */
  readonly before?: Json;
  /** Sent values, with `set` for secrets. */
  readonly after?: Json;
  /** Dotted paths whose old value is secret or unreadable. */
  readonly unkept?: readonly string[];
  readonly entry?: LedgerEntry;
}

export interface EndLine {
  readonly line: 'end';
  readonly part?: number;
  readonly key: string;
  readonly ok: boolean;
  readonly id?: string;
  readonly requestId?: string;
  /** Sent fields that the record does not show: actions, such as adding a plan. */
  readonly unseen?: readonly string[];
  /** Dotted paths of sent values without effect. */
  readonly untaken?: readonly string[];
  /** Dotted paths of values that the service stored in another form. */
  readonly altered?: readonly string[];
  /** Dotted paths of values that the service lost. */
  readonly lost?: readonly string[];
  /** The response of the create was lost, and the object was found afterwards. */
  readonly found?: true;
  readonly error?: { readonly kind: FailureKind; readonly message: string };
  /** For example, `estimated 200.00 for 8 twoway_trunks`. */
  readonly charges?: string;
  readonly entry?: LedgerEntry;
}

export interface FinishLine {
  readonly line: 'finish';
  readonly atMs: number;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly interrupted?: true;
}

type Owned = Pick<LoggedStep, 'key' | 'releases' | 'completes'>;

type Claimed = Pick<StartLine, 'ci' | 'user' | 'userId' | 'machine'>;

type Named = Claimed & Pick<StartLine, 'what' | 'set' | 'command' | 'undoes'>;

/** Returns `ci:pipeline 812` or `admin@laptop`. Uses the user's id if the name is unknown. */
export function formatUser({ ci, user, userId, machine }: Claimed): string {
  if (ci !== undefined) return `ci:pipeline ${ci.id}`;
  const name = user ?? userId?.slice(0, 8) ?? 'unknown';
  return machine === undefined ? name : `${name}@${machine}`;
}

/** Returns a description for a run without a command line. */
export const describeCommand = ({ command, what, undoes, set }: Named): string =>
  command ?? (undoes === undefined ? `${what} ${set}` : `${what} of ${undoes}`);

export const searchableTexts = (run: Named): readonly string[] => [
  formatUser(run),
  run.userId ?? '',
  run.ci?.actor ?? '',
  describeCommand(run),
];

export const objectKey = ({ key, releases, completes }: Owned): string => releases ?? completes ?? key;

/** Returns false for a step that releases a value or completes an object for another step. */
export const isWholeStep = ({ releases, completes }: Owned): boolean =>
  releases === undefined && completes === undefined;

/** A `call` belongs to the resource of its operation, so that undo skips it. */
export const loggedStep = (
  step: LoggedStep & { readonly call?: { readonly operation: string } },
): LoggedStep => {
  const { key, action, label, releases, completes, replaces, call } = step;
  const kind = call?.operation.split('.')[0] ?? step.kind;
  return { key, kind, action, label, releases, completes, replaces };
};
