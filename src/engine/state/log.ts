import type { FailureKind } from '../../base/failure.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { LedgerEntry } from './ledger.ts';

/**
 * A line of a run in the log: a JSON object, written before and after every call, without secrets. `apply --resume`,
 * `apply history` and `undo` read the lines, and the ledger is updated from them after a run was killed. A run over
 * several accounts has a part for each account: a start line and the lines after it.
 */
export type LogLine = StartLine | BeginLine | EndLine | FinishLine;

export interface StartLine {
  readonly line: 'start';
  readonly version: 1 | 2;
  readonly run: string;
  /** `command`: any other command with changes. Its steps are only known when they begin. */
  readonly what: 'apply' | 'undo' | 'command';
  /** For an undo: the run that it reverses. */
  readonly undoes?: string | undefined;
  readonly atMs: number;
  /** The process of the run, to distinguish a run that is still active from one that was killed. */
  readonly pid: number;
  readonly account: { readonly id: string | undefined; readonly name: string; readonly origin: string };
  /** Id of the account that started the run. */
  readonly owner?: string | undefined;
  /** Identity of that process, if the system has one. It differs for a later process with the same number. */
  readonly process?: string | undefined;
  /** Machine of that process (default: this machine). */
  readonly machine?: string | undefined;
  /** Command line, without secrets. */
  readonly command?: string | undefined;
  /** Reason that the user gave. */
  readonly note?: string | undefined;
  readonly ci?: Pipeline | undefined;
  /** Number of the rollout that the run belongs to. */
  readonly rollout?: string | undefined;
  /** Number of this part, from 1, and number of accounts of the run. */
  readonly part: number;
  readonly parts: number;
  /** Name of the user; the id if the name is unknown. */
  readonly user: string | undefined;
  readonly userId?: string | undefined;
  readonly set: string;
  /** The ledger's salt for the hashes of the entries below. */
  readonly salt: string;
  /** Files that the run read. */
  readonly inputs: readonly { readonly name: string; readonly sha256: string }[];
  /** Options of the command line, for `--resume`. Never a secret. */
  readonly options: JsonObject;
  /** All steps that send something. */
  readonly steps: readonly LoggedStep[];
}

export type RunFacts = Pick<StartLine, 'command' | 'note' | 'ci' | 'machine' | 'process' | 'rollout'>;

/** A pipeline of continuous integration, as its environment variables describe it. */
export interface Pipeline {
  readonly id: string;
  readonly commit?: string;
  /** Name of the user who started it. */
  readonly actor?: string;
}

export interface LoggedStep {
  readonly key: string;
  /** Section of manifests that contains the object. */
  readonly kind: string;
  /** `create`, `update` or `delete`, or another word for an action without a record, such as `reset-user-secret`. */
  readonly action: string;
  readonly label: string;
  /** Key of the step whose object temporarily gives up a value here (see `Step`). */
  readonly releases?: string | undefined;
  /** Key of the create whose object gets its remaining fields here (see `Step`). */
  readonly completes?: string | undefined;
  /** For a create of an undo: the id of the deleted record. The new id is in the `end` line. */
  readonly replaces?: string | undefined;
}

/** Written before a call. */
export interface BeginLine {
  readonly line: 'begin';
  /** Number of its part (default: the last one begun). */
  readonly part?: number;
  /** The step, if the start line could not name it. */
  readonly step?: LoggedStep;
  readonly key: string;
  readonly action: string;
  readonly id?: string;
  /** For an update the merge patch that reverts it, for a delete the record. Without secrets. */
  readonly before?: Json;
  /** Values that are sent; `set` replaces secrets. */
  readonly after?: Json;
  /** Dotted paths whose old value is not recorded, because it is secret or unreadable. */
  readonly unkept?: readonly string[];
  /** Entry of the ledger for the object before the step. */
  readonly entry?: LedgerEntry;
}

/** Written after a call. */
export interface EndLine {
  readonly line: 'end';
  readonly part?: number;
  readonly key: string;
  readonly ok: boolean;
  readonly id?: string;
  readonly requestId?: string;
  /** Fields that were sent and that the record does not show: actions, such as a plan to add. */
  readonly unseen?: readonly string[];
  /** Dotted paths of values that were sent and had no effect. */
  readonly untaken?: readonly string[];
  /** Dotted paths of values that the service stored in another form. */
  readonly altered?: readonly string[];
  /** Dotted paths of values that were lost although they should not change. */
  readonly lost?: readonly string[];
  /** A create whose response was lost. The object was found afterwards. */
  readonly found?: true;
  readonly error?: { readonly kind: FailureKind; readonly message: string };
  /** Charges that were accepted, as text: `estimated 200.00 for 8 twoway_trunks`. */
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

/** The part of a step that identifies its object. */
type Owned = Pick<LoggedStep, 'key' | 'releases' | 'completes'>;

/** Facts about the user of a process. */
type Claimed = Pick<StartLine, 'ci' | 'user' | 'userId' | 'machine'>;

/** Facts that identify a run for people. */
type Named = Claimed & Pick<StartLine, 'what' | 'set' | 'command' | 'undoes'>;

/** Names the user of a process: `ci:pipeline 812`, or `admin@laptop`. The user's id if the name is unknown. */
export function formatUser({ ci, user, userId, machine }: Claimed): string {
  if (ci !== undefined) return `ci:pipeline ${ci.id}`;
  const name = user ?? userId?.slice(0, 8) ?? 'unknown';
  return machine === undefined ? name : `${name}@${machine}`;
}

/** Returns the command line, or a description of a run without one. */
export const commandOf = ({ command, what, undoes, set }: Named): string =>
  command ?? (undoes === undefined ? `${what} ${set}` : `${what} of ${undoes}`);

/** Texts of a run for searches: the user and the command line. */
export const searchableTexts = (run: Named): readonly string[] => [
  formatUser(run),
  run.userId ?? '',
  run.ci?.actor ?? '',
  commandOf(run),
];

export const objectKey = ({ key, releases, completes }: Owned): string => releases ?? completes ?? key;

/** Returns true for a step that counts on its own. Others release a value or complete an object for another step. */
export const isWholeStep = ({ releases, completes }: Owned): boolean =>
  releases === undefined && completes === undefined;

/** The recorded facts of a step. A `call` belongs to the resource of its operation, so that undo skips it. */
export const loggedStep = (
  step: LoggedStep & { readonly call?: { readonly operation: string } },
): LoggedStep => {
  const { key, action, label, releases, completes, replaces, call } = step;
  const kind = call?.operation.split('.')[0] ?? step.kind;
  return { key, kind, action, label, releases, completes, replaces };
};
