import { isAbsolute, relative, resolve } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import type { Annotation } from '../command/context.ts';

/** A CI service whose runner executes telctl and reads its output. */
export type CiRunner = 'github' | 'azure' | 'gitlab';

/** Detects the runner by its environment variables. Gitea and Forgejo set those of GitHub. */
export function detectRunner({
  GITHUB_ACTIONS,
  TF_BUILD,
  GITLAB_CI,
}: Readonly<Record<string, string | undefined>>): CiRunner | undefined {
  if (GITHUB_ACTIONS === 'true') return 'github';
  if (TF_BUILD?.toLowerCase() === 'true') return 'azure';
  return GITLAB_CI === 'true' ? 'gitlab' : undefined;
}

const escapeData = (runner: CiRunner, text: string): string =>
  text
    .replaceAll('%', runner === 'azure' ? '%AZP25' : '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');

const escapeProperty = (runner: CiRunner, text: string): string =>
  runner === 'azure'
    ? escapeData(runner, text).replaceAll(';', '%3B').replaceAll(']', '%5D')
    : escapeData(runner, text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/**
 * Returns commands that make a runner mask secrets in later output, one per line. Each line of a secret gets its own
 * mask, because runners search logs by line. Throws `Failure` (`refused`) for a runner that cannot mask.
 */
export function maskCommands(runner: CiRunner, secrets: Iterable<string>): string {
  if (runner === 'gitlab')
    throw new Failure('refused', 'The log of this job would contain a secret, and GitLab cannot mask it.', {
      hint: 'Write it to a file that only this job reads: > FILE, or an option such as --out FILE.',
    });
  const lines = new Set([...secrets].flatMap((secret) => secret.split(/[\r\n]+/)).filter(Boolean));
  const head = runner === 'azure' ? '##vso[task.setsecret]' : '::add-mask::';
  return [...lines].map((line) => `${head}${escapeData(runner, line)}\n`).join('');
}

/** Returns a path for a runner: relative to the checkout, or absolute for Azure Pipelines. */
function runnerPath(runner: CiRunner, { cwd, env }: Pick<Host, 'cwd' | 'env'>, file: string): string {
  const whole = resolve(cwd, file);
  if (runner === 'azure') return whole;
  const below = relative(env.GITHUB_WORKSPACE ?? cwd, whole);
  return /^\.\.(?:[/\\]|$)/.test(below) || isAbsolute(below) ? whole : below.replaceAll('\\', '/');
}

/**
 * Returns the line for an annotation. GitLab has no annotations, so it gets the format of GitHub, which tools can
 * read.
 */
export function annotationCommand(
  runner: CiRunner,
  host: Pick<Host, 'cwd' | 'env'>,
  { level, file, line, column, message }: Annotation,
): string {
  const isAzure = runner === 'azure';
  const path = file === undefined ? undefined : runnerPath(runner, host, file);
  const facts = Object.entries(
    isAzure
      ? // Azure only has errors and warnings.
        {
          type: level === 'notice' ? 'warning' : level,
          sourcepath: path,
          linenumber: line,
          columnnumber: column,
        }
      : { file: path, line, col: column },
  ).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(runner, String(value))}`],
  );
  return isAzure
    ? `##vso[task.logissue ${facts.map((fact) => `${fact};`).join('')}]${escapeData(runner, message)}\n`
    : `::${level}${facts.length === 0 ? '' : ` ${facts.join(',')}`}::${escapeData(runner, message)}\n`;
}

/** A runner command: `::` at the start of a line, or `##[` and `##vso[` anywhere. */
const commands = /(?<=^|[\r\n])([^\S\r\n]*):(?=:)|#(?=#(?:\[|vso\[))/g;

/** Escapes runner commands in log text, chunk by chunk. */
export function commandEscaper(host: Host, isKept: boolean): (text: string) => string {
  if (detectRunner(host.env) === undefined || isKept) return (text) => text;
  let isMidLine = false;
  return (text) => {
    const begun = isMidLine;
    if (text !== '') isMidLine = !/[\r\n]$/.test(text);
    return text.replaceAll(commands, (found, blanks: string | undefined, at: number) => {
      if (found.startsWith('#')) return '\\u0023';
      return begun && at === 0 ? found : `${blanks ?? ''}\\u003a`;
    });
  };
}
