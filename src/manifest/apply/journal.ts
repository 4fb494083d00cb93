import type { FailureKind } from '../../base/failure.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { InputFile } from '../desired/desired.ts';
import type { KindName } from '../kinds.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import type { Action, Step } from '../plan.ts';

/**
 * A journal is a file of lines, one JSON object each, written before and after every call of an apply, without
 * secrets. It is what `apply --resume`, `apply history` and `undo` read, and what the ledger is made good from after
 * a run that was killed. A run over several accounts has a part for each: a start line and what follows it.
 */
export type JournalLine = StartLine | BeginLine | EndLine | FinishLine;

export interface StartLine {
  readonly line: 'start';
  readonly version: 1;
  /** Name of the run, in order of time. */
  readonly run: string;
  readonly what: 'apply' | 'undo';
  /** For an undo: the run that it reverses. */
  readonly undoes?: string;
  readonly atMs: number;
  /** The process that did it, to tell a run that goes on from one that was killed. */
  readonly pid: number;
  readonly account: { readonly id: string | undefined; readonly name: string; readonly origin: string };
  /** How many accounts the run is about, and which one of them this part is, from 1. */
  readonly part: number;
  readonly parts: number;
  /** Name of whoever did it; the id where no name is known. */
  readonly user: string | undefined;
  readonly userId?: string;
  readonly set: string;
  /** The ledger's salt, which the hashes of the entries below stand with. */
  readonly salt: string;
  readonly inputs: readonly InputFile[];
  /** What the command line said, so that `--resume` does the same. Never a secret. */
  readonly options: JsonObject;
  /** All steps that send something. */
  readonly steps: readonly JournalStep[];
}

export interface JournalStep {
  readonly key: string;
  readonly kind: KindName;
  readonly action: Action;
  readonly label: string;
  /** Key of the step whose object gives up a value here for a while (see `Step`). */
  readonly releases?: string;
  /** Key of the create whose object gets its late fields here (see `Step`). */
  readonly completes?: string;
}

/** Written before a call. */
export interface BeginLine {
  readonly line: 'begin';
  readonly key: string;
  readonly action: Action;
  readonly id?: string;
  /** For an update the merge patch that sets it back; for a delete the record. Without secrets. */
  readonly before?: Json;
  /** Dotted paths whose old value is not kept: secret, or not readable. */
  readonly unkept?: readonly string[];
  /** What the ledger said of the object before. */
  readonly entry?: LedgerEntry;
}

/** Written after a call. */
export interface EndLine {
  readonly line: 'end';
  readonly key: string;
  readonly ok: boolean;
  readonly id?: string;
  readonly requestId?: string;
  /** A create whose reply was lost: the object was there. */
  readonly found?: true;
  readonly error?: { readonly kind: FailureKind; readonly message: string };
  /** Charges that were accepted, as text: `estimated 200.00 for 8 twoway_trunks`. */
  readonly charges?: string;
  /** What the ledger says of it now. */
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

/** What a journal says of a step. */
export const journalStep = ({ key, kind, action, label, releases, completes }: Step): JournalStep => ({
  key,
  kind,
  action,
  label,
  ...(releases === undefined ? {} : { releases }),
  ...(completes === undefined ? {} : { completes }),
});
