import { Failure, nextStep } from '../../base/failure.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { systemReason } from '../../base/reading.ts';
import type { Lines } from '../../base/wording.ts';
import { masked } from '../../contract/secrets.ts';
import { jsonLine } from './render-value.ts';
import { saidText } from './said-text.ts';
import type { Style } from './style.ts';

/** A failure as scripts read it (Interface, streams and errors), with the question that somebody could answer. */
export function failureJson(failure: Failure, actionRequired?: JsonObject): string {
  const facts: Record<string, Json | undefined> = {
    kind: failure.kind,
    message: failure.sentence ?? failure.message,
    status: failure.status,
    code: failure.code,
    request_id: failure.requestId,
    details: jsonOf(failure.details),
    hint: failure.hint,
    next: failure.next.length === 0 ? undefined : failure.next.map((step) => ({ ...step })),
    action_required: actionRequired,
    warnings: failure.warnings,
  };
  const error: JsonObject = facts;
  return `${jsonLine({ error })}\n`;
}

/** Details as JSON carries them; what it cannot carry is left out. */
function jsonOf(details: unknown): Json | undefined {
  const text = details === undefined ? undefined : JSON.stringify(details);
  return text === undefined ? undefined : JSON.parse(text);
}

/**
 * A failure as people read it: what failed, what to do next (at a terminal of so many columns, where the failure has no
 * hint, the page of `telctl help` on its kind), and the service's name for the request.
 */
export function failurePage(failure: Failure, style: Style, columns?: number): string {
  const { kind, hint } = failure;
  const isPointed = columns !== undefined && hint === undefined && kind !== 'usage' && kind !== 'interrupted';
  const said = (lines: Lines): string => saidText(lines, { columns, spoken: style.spoken });
  const lines = [
    style.bad(said(failure.lines)),
    ...(hint === undefined ? [] : [said(hint)]),
    ...(isPointed ? [style.dim(`${nextStep`help ${kind}`}`)] : []),
    ...(failure.requestId === undefined ? [] : [style.dim(said(`request ${failure.requestId}`))]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Long runs of letters and digits, and web tokens: in the text of an unexpected error they may be secrets. */
const mayBeSecret = /\beyJ[\w-]+\.[\w-]+\.[\w-]+|\b[0-9a-zA-Z+_-]{32,}={0,2}/g;

/** The failure for a refusal of the file system that nobody said better; `undefined` for other errors. */
function systemFailure(error: unknown): Failure | undefined {
  const reason = systemReason(error);
  if (reason === undefined || !(error instanceof Error) || !('path' in error)) return undefined;
  return new Failure('failed', `${String(error.path)} cannot be used (${reason}).`, {
    hint: 'Correct that, or give telctl folders of its own: TELCTL_CONFIG_DIR, TELCTL_STATE_DIR, TELCTL_CACHE_DIR.',
    cause: error,
  });
}

/**
 * Returns the failure for an error that nobody caught: trouble of the file system, or an unexpected error. With
 * `verbose` also where it came from, without possible secrets, and without the `secrets` that are known.
 */
export function unexpectedFailure(
  error: unknown,
  verbose: boolean,
  secrets: readonly string[] = [],
): Failure {
  const system = systemFailure(error);
  if (system) return system;
  const name = error instanceof Error ? error.name : typeof error;
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const known = secrets.reduce((text, secret) => text.replaceAll(secret, masked), details);
  const trace = known.replaceAll(mayBeSecret, masked).split('\n');
  const lines = verbose ? trace.map((line) => `    ${line.trim()}`) : [];
  return new Failure('failed', [`This is a bug in telctl (${name}).`, ...lines], {
    hint: verbose ? undefined : 'Repeat with --verbose for details to report.',
    cause: error,
  });
}
