import { exitCodes, Failure, type FailureKind, type OpenQuestion } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import type { JsonObject } from '../../base/json.ts';
import { shellWord } from '../../base/wording.ts';
import { errorFormat } from '../../client/session/resolve-settings.ts';
import { isSecretName, masked, maskedUrl } from '../../contract/secrets.ts';
import type { Result } from '../command/result.ts';
import { failureJson, failurePage, unexpectedFailure } from '../terminal/error-page.ts';
import type { HoldingNotices } from '../terminal/notices.ts';
import { widthOf } from '../terminal/output.ts';
import { harmlessOn } from '../terminal/runner.ts';
import { isColoured, styleFor } from '../terminal/style.ts';
import { typedValue } from './input-for.ts';

/** Whatever waited when the run was interrupted ends with an error of this name. */
const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
const stopped = (cause: unknown): Failure => new Failure('interrupted', 'Interrupted.', { cause });
const secretVariables = ['TELCTL_TOKEN', 'TELCTL_API_KEY', 'TELCTL_PASSWORD'];
const known = (error: unknown, isVerbose: boolean, { env }: Host): Failure => {
  if (error instanceof Failure) return error;
  return unexpectedFailure(
    error,
    isVerbose,
    secretVariables.flatMap((name) => env[name] || []),
  );
};

/** Shows what went wrong in the format that was asked for and gives the exit code. */
export async function reportFailure(error: unknown, argv: readonly string[], host: Host): Promise<number> {
  const isVerbose = argv.includes('-v') || argv.includes('--verbose');
  const failure = host.interrupted.aborted && isAbort(error) ? stopped(error) : known(error, isVerbose, host);
  const format = errorFormat(typedValue(argv, '--output', '-o'), host.env);
  host.stderr.on('error', () => undefined);
  const harmless = harmlessOn(host, false);
  if (format === 'json' || format === 'ndjson') {
    const { open } = failure;
    const asked = open && actionRequired(open, argv);
    host.stderr.write(harmless(failureJson(failure, asked)));
  } else {
    const when = typedValue(argv, '--color');
    const isForced = when === 'always' || when === 'never' ? when : 'auto';
    const style = await styleFor(isColoured(isForced, host.env, host.stderr.isTTY === true));
    host.stderr.write(harmless(failurePage(failure, style, widthOf(host.stderr))));
  }
  return exitCodes[failure.kind];
}

/**
 * A question that nobody could be asked, for the JSON error: the question, the options that answer it, and the whole
 * next command, quoted for a shell. Words in capitals in it are still to be filled in; secrets are masked.
 */
export function actionRequired({ question, flags, line }: OpenQuestion, argv: readonly string[]): JsonObject {
  const [usual = ''] = flags;
  const command = line === undefined ? lineWith(argv, usual) : [line, ...asWords(usual)].join(' ');
  return { question, flags, command };
}

/** An option and its value, each as a shell takes it. A variable is no part of the line. */
function asWords(flag: string): readonly string[] {
  if (!flag.startsWith('--')) return [];
  const [name = '', ...value] = flag.split(' ');
  return value.length === 0 ? [name] : [name, shellWord(value.join(' '))];
}

/** The same line with an option, in place of that option where it stands there already, before what follows `--`. */
function lineWith(argv: readonly string[], flag: string): string {
  const added = asWords(flag);
  const [name] = added;
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  const kept = own.filter(
    (word, index) =>
      name === undefined ||
      !(word === name || word.startsWith(`${name}=`) || (added.length > 1 && own[index - 1] === name)),
  );
  const others = end === -1 ? [] : argv.slice(end);
  return ['telctl', ...kept.map(safeWord), ...added, ...others.map(safeWord)].join(' ');
}

/** A word of the line as a shell takes it, with secrets masked: in addresses, and after names that sound of them. */
function safeWord(word: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word)) return shellWord(maskedUrl(word));
  const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(word) ?? [];
  if (name === undefined || value === undefined) return shellWord(word);
  const isSecret = isSecretName(name.replace(/^--/, ''));
  return shellWord(
    `${name}=${isSecret ? masked : /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? maskedUrl(value) : value}`,
  );
}

/** Sentences of a run that has something to show and an exit other than 0. */
const sentences: Partial<Record<FailureKind, string>> = {
  partial: 'Some of it could not be read or done.',
  not_found: 'Nothing was found.',
  invalid: 'Errors were found.',
};

/**
 * A result whose exit is not 0, as the error that stands alone on stderr: its data is on stdout. Differences that were
 * asked for by `--exit-code` are no error. The lines that were kept back are in its details.
 */
export function errorOfExit(result: Result, notices: HoldingNotices): Failure | undefined {
  const { exit } = result;
  if (exit === undefined || exit === 'differences') return undefined;
  const summary = result.kind === 'list' ? result.summary?.() : undefined;
  const message = 'message' in result ? result.message : undefined;
  const { said, warnings } = notices.drop();
  return new Failure(exit, message ?? summary ?? sentences[exit] ?? 'Problems were found.', {
    ...(said.length > 0 ? { details: { said } } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  });
}

/** Returns an error with the earlier warnings, if those were kept back. */
export function withWarnings(error: unknown, notices: HoldingNotices): unknown {
  const { warnings } = notices.drop();
  if (!(error instanceof Failure) || warnings.length === 0) return error;
  return new Failure(error.kind, error.lines, { ...error, cause: error.cause, warnings });
}
