import {
  exitCodes,
  Failure,
  type FailureKind,
  nextStep,
  type OpenQuestion,
  withFacts,
} from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { type OutsideValues, replaceOutsideValues } from '../../base/outside-values.ts';
import { systemCode, systemReason } from '../../base/read-errors.ts';
import { type Lines, shellWord } from '../../base/wording.ts';
import { errorFormat } from '../../client/session/resolve-settings.ts';
import { isSecretName, masked, maskUrl } from '../../contract/secrets.ts';
import type { Result } from '../command/result.ts';
import { formatNotice } from '../terminal/notice-text.ts';
import type { HoldingNotices } from '../terminal/notices.ts';
import { terminalWidth } from '../terminal/output.ts';
import { gatedFailure } from '../terminal/outside-gate.ts';
import { jsonLine } from '../terminal/render-value.ts';
import { commandEscaper } from '../terminal/runner.ts';
import { isColored, type Style, styleFor } from '../terminal/style.ts';
import { optionsEnd, typedValue } from './input-for.ts';

const secretVariables = ['TELCTL_TOKEN', 'TELCTL_API_KEY', 'TELCTL_PASSWORD'];

/** Converts any thrown error to a `Failure`. Interrupted waits throw an `AbortError`. */
function toFailure(error: unknown, argv: readonly string[], { env, interrupted }: Host): Failure {
  if (error instanceof Failure) return error;
  if (interrupted.aborted && error instanceof Error && error.name === 'AbortError')
    return new Failure('interrupted', 'Interrupted.', { cause: error });
  const isVerbose = argv.includes('-v') || argv.includes('--verbose');
  const secrets = secretVariables.flatMap((name) => env[name] || []);
  return systemFailure(error) ?? unexpectedFailure(error, isVerbose, secrets);
}

/** Prints an error in the chosen format and returns the exit code. */
export async function reportFailure(error: unknown, argv: readonly string[], host: Host): Promise<number> {
  const failure = gatedFailure(toFailure(error, argv, host), host.outside);
  const format = errorFormat(typedValue(argv, '--output', '-o'), host.env);
  host.stderr.on('error', () => undefined);
  const harmless = commandEscaper(host, false);
  if (format === 'json' || format === 'ndjson') {
    host.stderr.write(harmless(failureJson(failure, argv, host.outside)));
  } else {
    const when = typedValue(argv, '--color');
    const isForced = when === 'always' || when === 'never' ? when : 'auto';
    const style = await styleFor(isColored(isForced, host.env, host.stderr.isTTY === true));
    host.stderr.write(harmless(failurePage(failure, style, terminalWidth(host.stderr))));
  }
  return exitCodes[failure.kind];
}

/**
 * Returns the `action_required` of a JSON error, for a question that needs a terminal: the question, the options that
 * answer it, and the next command line, quoted for a shell. Words in capitals are placeholders. Secrets are masked.
 */
export function actionRequired({ question, flags, line }: OpenQuestion, argv: readonly string[]): JsonObject {
  const [usual = ''] = flags;
  const command = line === undefined ? addOption(argv, usual) : [line, ...optionWords(usual)].join(' ');
  return { question, flags, command };
}

function optionWords(flag: string): readonly string[] {
  if (!flag.startsWith('--')) return [];
  const [name = '', ...value] = flag.split(' ');
  return value.length === 0 ? [name] : [name, shellWord(value.join(' '))];
}

function addOption(argv: readonly string[], flag: string): string {
  const added = optionWords(flag);
  const [name] = added;
  const own = argv.slice(0, optionsEnd(argv));
  const kept = own.filter(
    (word, index) =>
      name === undefined ||
      !(word === name || word.startsWith(`${name}=`) || (added.length > 1 && own[index - 1] === name)),
  );
  return ['telctl', ...kept.map(safeWord), ...added, ...argv.slice(own.length).map(safeWord)].join(' ');
}

const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

/** Quotes a word for a shell. Masks secrets in addresses and in values with secret names. */
function safeWord(word: string): string {
  if (isAddress(word)) return shellWord(maskUrl(word));
  const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(word) ?? [];
  if (name === undefined || value === undefined) return shellWord(word);
  const isSecret = isSecretName(name.replace(/^--/, ''));
  return shellWord(`${name}=${isSecret ? masked : isAddress(value) ? maskUrl(value) : value}`);
}

/** Messages for a run that printed a result but exits with a code other than 0. */
const exitMessages: Partial<Record<FailureKind, string>> = {
  partial: 'Some reads or changes failed.',
  not_found: 'No matches.',
  invalid: 'Errors were found.',
};

/**
 * Converts a result with an error exit to a failure that contains the held lines. Returns `undefined` for
 * `differences`, which are not an error.
 */
export function errorOfExit(result: Result, notices: HoldingNotices): Failure | undefined {
  const { exit } = result;
  if (exit === undefined || exit === 'differences') return undefined;
  const summary = result.kind === 'list' ? result.summary?.() : undefined;
  const message = 'message' in result ? result.message : undefined;
  const { said, warnings } = notices.takeHeld();
  return new Failure(exit, message ?? summary ?? exitMessages[exit] ?? 'Problems were found.', {
    ...(said.length > 0 ? { details: { said } } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  });
}

export function withWarnings(error: unknown, notices: HoldingNotices): unknown {
  const { warnings } = notices.takeHeld();
  return error instanceof Failure && warnings.length > 0 ? withFacts(error, { warnings }) : error;
}

export function failureJson(
  failure: Failure,
  argv?: readonly string[],
  outside: OutsideValues = new Map(),
): string {
  const { open, next } = failure;
  const error: JsonObject = {
    kind: failure.kind,
    message: failure.sentence ?? failure.message,
    status: failure.status,
    code: failure.code,
    request_id: failure.requestId,
    details: toJson(failure.details),
    hint: failure.hint,
    next: next.length === 0 ? undefined : next.map((step) => ({ ...step })),
    action_required: open && argv && actionRequired(open, argv),
    warnings: failure.warnings,
  };
  return `${jsonLine({ error: replaceOutsideValues(error, outside) })}\n`;
}

/** Omits values that JSON cannot represent. */
function toJson(details: unknown): Json | undefined {
  const text = details === undefined ? undefined : JSON.stringify(details);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Formats a failure for people: the error, the hint or the help page of its kind, and the request id. */
function failurePage(failure: Failure, style: Style, columns?: number): string {
  const { kind, hint } = failure;
  const isPointed = columns !== undefined && hint === undefined && kind !== 'usage' && kind !== 'interrupted';
  const formatLines = (lines: Lines): string => formatNotice(lines, { columns, spoken: style.spoken });
  const lines = [
    style.bad(formatLines(failure.lines)),
    ...(hint === undefined ? [] : [formatLines(hint)]),
    ...(isPointed ? [style.dim(`${nextStep`help ${kind}`}`)] : []),
    ...(failure.requestId === undefined ? [] : [style.dim(formatLines(`request ${failure.requestId}`))]),
  ];
  return `${lines.join('\n')}\n`;
}

const mayBeSecret = /\beyJ[\w-]+\.[\w-]+\.[\w-]+|\b[0-9a-zA-Z+_-]{32,}={0,2}/g;

function systemFailure(error: unknown): Failure | undefined {
  const reason = systemReason(error);
  if (reason === undefined || !(error instanceof Error) || !('path' in error)) return undefined;
  return new Failure('failed', `${String(error.path)} cannot be used (${reason}).`, {
    hint:
      systemCode(error) === 'ENOCWD'
        ? 'Change to a folder that exists, and run the command again.'
        : 'Fix it, or set TELCTL_CONFIG_DIR, TELCTL_STATE_DIR and TELCTL_CACHE_DIR to other folders.',
    cause: error,
  });
}

/** Returns the failure for an unexpected error. `verbose` adds the stack without known or possible secrets. */
function unexpectedFailure(error: unknown, verbose: boolean, secrets: readonly string[]): Failure {
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
