import type { FailureKind } from '../../base/failure.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { LedgerEntry } from './ledger.ts';

/**
 * A run of the log is lines, one JSON object each, written before and after every call, without secrets. It is what
 * `apply --resume`, `apply history` and `undo` read, and what the ledger is made good from after a run that was
 * killed. A run over several accounts has a part for each: a start line and what follows it.
 */
export type LogLine = StartLine | BeginLine | EndLine | FinishLine;

export interface StartLine {
  readonly line: 'start';
  readonly version: 1 | 2;
  readonly run: string;
  /** `command`: any other command that changed something; its steps are known only as they begin. */
  readonly what: 'apply' | 'undo' | 'command';
  /** For an undo: the run that it reverses. */
  readonly undoes?: string | undefined;
  readonly atMs: number;
  /** The process of the run, to distinguish a run that is still active from one that was killed. */
  readonly pid: number;
  readonly account: { readonly id: string | undefined; readonly name: string; readonly origin: string };
  /** Id of the account that the run was begun as. */
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
  /** Number of the rollout that it carries out on one account. */
  readonly rollout?: string | undefined;
  /** Number of accounts that the run is about, and position of this part among them, from 1. */
  readonly part: number;
  readonly parts: number;
  /** Name of the user; the id if the name is unknown. */
  readonly user: string | undefined;
  readonly userId?: string | undefined;
  readonly set: string;
  /** The ledger's salt for the hashes of the entries below. */
  readonly salt: string;
  /** Files that it read. */
  readonly inputs: readonly { readonly name: string; readonly sha256: string }[];
  /** Options of the command line, so that `--resume` does the same. Never a secret. */
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
  /** `create`, `update` or `delete`; another word for what is done to no record, such as `reset-user-secret`. */
  readonly action: string;
  readonly label: string;
  /** Key of the step whose object gives up a value here for a while (see `Step`). */
  readonly releases?: string | undefined;
  /** Key of the create whose object gets its late fields here (see `Step`). */
  readonly completes?: string | undefined;
  /** For a create of an undo: the id that the deleted record had. The record has the id of the `end` line now. */
  readonly replaces?: string | undefined;
}

/** Written before a call. */
export interface BeginLine {
  readonly line: 'begin';
  /** Number of the part that it belongs to; the last one begun where left out. */
  readonly part?: number;
  /** The step itself, where the start line could not name it. */
  readonly step?: LoggedStep;
  readonly key: string;
  readonly action: string;
  readonly id?: string;
  /** For an update the merge patch that sets it back; for a delete the record. Without secrets. */
  readonly before?: Json;
  /** Values that are sent; `set` replaces secrets. */
  readonly after?: Json;
  /** Dotted paths whose old value is not kept: secret, or not readable. */
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
  /** Fields that were sent and that the record does not show: orders, such as a plan to add. */
  readonly unseen?: readonly string[];
  /** Dotted paths of values that were sent and had no effect. */
  readonly untaken?: readonly string[];
  /** Dotted paths of values that the service keeps in another form than they were sent. */
  readonly altered?: readonly string[];
  /** Dotted paths of values that stood there, were not to change, and are gone. */
  readonly lost?: readonly string[];
  /** A create whose reply was lost: the object was there. */
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

/** The part of a step that says whose it is, in a plan and in the log. */
type Owned = Pick<LoggedStep, 'key' | 'releases' | 'completes'>;

/** What a process says of whoever uses it. */
type Claimed = Pick<StartLine, 'ci' | 'user' | 'userId' | 'machine'>;

/** The facts by which people name a run. */
type Named = Claimed & Pick<StartLine, 'what' | 'set' | 'command' | 'undoes'>;

/** Words of a process for whoever uses it: `ci:pipeline 812`, or `admin@laptop`; the id of the user where no name is known. */
export function claimedBy({ ci, user, userId, machine }: Claimed): string {
  if (ci !== undefined) return `ci:pipeline ${ci.id}`;
  const name = user ?? userId?.slice(0, 8) ?? 'somebody';
  return machine === undefined ? name : `${name}@${machine}`;
}

/** Returns the command line, or a description of a run without one. */
export const commandOf = ({ command, what, undoes, set }: Named): string =>
  command ?? (undoes === undefined ? `${what} ${set}` : `${what} of ${undoes}`);

/** Texts of a run that people look for: who says to have done it, and the command line. */
export const searchableTexts = (run: Named): readonly string[] => [
  claimedBy(run),
  run.userId ?? '',
  run.ci?.actor ?? '',
  commandOf(run),
];

export const objectKey = ({ key, releases, completes }: Owned): string => releases ?? completes ?? key;

/** True for a step of an object; one that makes room for others or brings late fields counts as part of another. */
export const isWholeStep = ({ releases, completes }: Owned): boolean =>
  releases === undefined && completes === undefined;

/** The facts of a step that the log keeps. A `call` counts to the resource of its operation, so that undo leaves it out. */
export const loggedStep = (
  step: LoggedStep & { readonly call?: { readonly operation: string } },
): LoggedStep => {
  const { key, action, label, releases, completes, replaces, call } = step;
  const kind = call?.operation.split('.')[0] ?? step.kind;
  return { key, kind, action, label, releases, completes, replaces };
};
