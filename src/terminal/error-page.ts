import { Failure } from '../contract/failure.ts';
import { isObject, type Json, type JsonObject } from '../contract/json.ts';
import { jsonLine } from './json-text.ts';
import { neutralise, neutraliseLines } from './neutralise.ts';
import type { Style } from './style.ts';

/** A failure as scripts read it (Interface, streams and errors). */
export function failureJson(failure: Failure): string {
  const facts: Record<string, Json | undefined> = {
    kind: failure.kind,
    message: failure.message,
    status: failure.status,
    code: failure.code,
    request_id: failure.requestId,
    details: jsonOf(failure.details),
    hint: failure.hint,
  };
  const error: JsonObject = facts;
  return `${jsonLine({ error })}\n`;
}

/** Details as JSON carries them; what it cannot carry is left out. */
function jsonOf(details: unknown): Json | undefined {
  const text = details === undefined ? undefined : JSON.stringify(details);
  return text === undefined ? undefined : JSON.parse(text);
}

/** A failure as people read it: what failed, what to do next, and the service's name for the request. */
export function failurePage(failure: Failure, style: Style): string {
  const lines = [
    style.bad(neutraliseLines(failure.message)),
    ...(failure.hint === undefined ? [] : [neutraliseLines(failure.hint)]),
    ...(failure.requestId === undefined ? [] : [style.dim(`request ${neutralise(failure.requestId)}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** What is said of an error that telctl did not expect. With `verbose`, where it came from. */
export function bugFailure(error: unknown, verbose: boolean): Failure {
  const summary = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const trace = verbose && error instanceof Error && error.stack ? `\n${error.stack}` : '';
  const code = isObject(error) && typeof error.code === 'string' ? error.code : undefined;
  return new Failure('failed', `This is a bug in telctl (${summary}).${trace}`, {
    hint: verbose ? undefined : 'Repeat with --verbose for details to report.',
    code,
    cause: error,
  });
}
