import type { FailureKind } from '../../contract/failure.ts';
import type { Json, JsonObject } from '../../contract/json.ts';
import type { InputFile } from '../desired/desired.ts';
import type { Action } from '../plan/plan.ts';

/**
 * A journal is a file of lines, one JSON object each, written before and after every call of an apply, without
 * secrets. It is what `apply --resume`, `apply history` and `undo` read.
 */
export type JournalLine = StartLine | BeginLine | EndLine | FinishLine;

export interface StartLine {
  readonly line: 'start';
  readonly version: 1;
  /** Name of the run, in order of time. */
  readonly run: string;
  readonly what: 'apply' | 'undo';
  readonly atMs: number;
  readonly account: { readonly id: string | undefined; readonly name: string; readonly origin: string };
  readonly user: string | undefined;
  readonly set: string;
  readonly inputs: readonly InputFile[];
  /** What the command line said, so that `--resume` does the same. Never a secret. */
  readonly options: JsonObject;
  /** Keys and actions of all steps that send something. */
  readonly steps: readonly { readonly key: string; readonly action: Action; readonly label: string }[];
  /** Salted hash of the plan. */
  readonly plan: string;
}

/** Written before a call. */
export interface BeginLine {
  readonly line: 'begin';
  readonly key: string;
  readonly action: Action;
  readonly id?: string;
  /** Old values of what changes, without secrets, for `undo`; the whole record for a delete. */
  readonly before?: Json;
  /** Dotted paths whose old value is not kept: secret, or not readable. */
  readonly unkept?: readonly string[];
}

/** Written after a call. */
export interface EndLine {
  readonly line: 'end';
  readonly key: string;
  readonly ok: boolean;
  readonly id?: string;
  readonly requestId?: string;
  readonly error?: { readonly kind: FailureKind; readonly message: string };
  /** Charges that were accepted, as text: `estimated 200.00 for 8 twoway_trunks`. */
  readonly charges?: string;
}

export interface FinishLine {
  readonly line: 'finish';
  readonly atMs: number;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
}
