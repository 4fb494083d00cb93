import { isAbsolute, relative, resolve } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import type { Annotation } from '../command/context.ts';

/** A service whose machine runs the job that telctl is part of, and reads its output. */
export type Runner = 'github' | 'azure' | 'gitlab';

/** Returns the runner of this job, by the variables that each sets; Gitea and Forgejo set GitHub's. */
export function runnerOf({
  GITHUB_ACTIONS,
  TF_BUILD,
  GITLAB_CI,
}: Readonly<Record<string, string | undefined>>): Runner | undefined {
  if (GITHUB_ACTIONS === 'true') return 'github';
  if (TF_BUILD?.toLowerCase() === 'true') return 'azure';
  return GITLAB_CI === 'true' ? 'gitlab' : undefined;
}

/** Text in a command to a runner: it stays on one line. */
const inData = (runner: Runner, text: string): string =>
  text
    .replaceAll('%', runner === 'azure' ? '%AZP25' : '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');

/** The same for a value beside others. */
const inProperty = (runner: Runner, text: string): string =>
  runner === 'azure'
    ? inData(runner, text).replaceAll(';', '%3B').replaceAll(']', '%5D')
    : inData(runner, text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/**
 * Returns what makes a runner hide secrets in all that follows, a mask a line. A secret of several lines has a mask for
 * each, since logs are searched by the line. Throws `Failure` (`refused`) for a runner that can hide nothing.
 */
export function maskCommands(runner: Runner, secrets: Iterable<string>): string {
  if (runner === 'gitlab')
    throw new Failure('refused', 'A secret would stand in the log of this job, which GitLab cannot mask.', {
      hint: 'Write it to a file that only the job reads: > FILE, or an option such as --out FILE.',
    });
  const lines = new Set([...secrets].flatMap((secret) => secret.split(/[\r\n]+/)).filter(Boolean));
  const head = runner === 'azure' ? '##vso[task.setsecret]' : '::add-mask::';
  return [...lines].map((line) => `${head}${inData(runner, line)}\n`).join('');
}

/** Path of a file as a runner knows it: below the checkout, and whole for Azure Pipelines. */
function fileFor(runner: Runner, { cwd, env }: Pick<Host, 'cwd' | 'env'>, file: string): string {
  const whole = resolve(cwd, file);
  if (runner === 'azure') return whole;
  const below = relative(env.GITHUB_WORKSPACE ?? cwd, whole);
  return /^\.\.(?:[/\\]|$)/.test(below) || isAbsolute(below) ? whole : below.replaceAll('\\', '/');
}

/** Returns the line by which a runner shows an annotation. GitLab has none: it gets that of GitHub, which tools read. */
export function annotationCommand(
  runner: Runner,
  host: Pick<Host, 'cwd' | 'env'>,
  { level, file, line, column, message }: Annotation,
): string {
  const isAzure = runner === 'azure';
  const path = file === undefined ? undefined : fileFor(runner, host, file);
  const facts = Object.entries(
    isAzure
      ? // It knows errors and warnings alone.
        {
          type: level === 'notice' ? 'warning' : level,
          sourcepath: path,
          linenumber: line,
          columnnumber: column,
        }
      : { file: path, line, col: column },
  ).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${inProperty(runner, String(value))}`]));
  return isAzure
    ? `##vso[task.logissue ${facts.map((fact) => `${fact};`).join('')}]${inData(runner, message)}\n`
    : `::${level}${facts.length === 0 ? '' : ` ${facts.join(',')}`}::${inData(runner, message)}\n`;
}

/** A command to a runner: `::` begins a line, while `##[` and `##vso[` may stand anywhere in one. */
const commands = /(?<=^|[\r\n])([^\S\r\n]*):(?=:)|#(?=#(?:\[|vso\[))/g;

/** Takes the meaning from commands to a runner in text for its log, piece by piece: their first sign is escaped. */
export function harmlessOn(host: Host, isKept: boolean): (text: string) => string {
  if (runnerOf(host.env) === undefined || isKept) return (text) => text;
  let isWithin = false;
  return (text) => {
    const begun = isWithin;
    if (text !== '') isWithin = !/[\r\n]$/.test(text);
    return text.replaceAll(commands, (found, blanks: string | undefined, at: number) => {
      if (found.startsWith('#')) return '\\u0023';
      return begun && at === 0 ? found : `${blanks ?? ''}\\u003a`;
    });
  };
}
