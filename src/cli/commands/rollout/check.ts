import { resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import { programEnvironment } from '../../../base/program-environment.ts';
import { systemCode } from '../../../base/reading.ts';
import { counted, messageOf } from '../../../base/wording.ts';
import { parseSecretCommand } from '../../../client/session/secret-sources.ts';
import type { Rollout } from '../../../engine/state/rollouts.ts';
import type { Context } from '../../command/context.ts';

/** Says whether the wave after one may begin: the reason why not, if there is one. */
export type Check = (rollout: Rollout) => Promise<string | undefined>;

/** A check that is not over by then has failed, in milliseconds. */
const longestMs = 3_600_000;

/**
 * The check of a command line, in one word or several. It is run without a shell, without telctl's secrets, with the rollout and its wave in
 * variables; what it prints is told. Throws `Failure` of kind `usage` for what is no command.
 */
export function checkOf({ host, notices }: Context, words: readonly string[]): Check | undefined {
  const [word, ...more] = words;
  if (word === undefined) return undefined;
  const [program = '', ...args] =
    more.length === 0
      ? parseSecretCommand(word, '--check', host.cwd)
      : [/[/\\]/.test(word) ? resolve(host.cwd, word) : word, ...more];
  return async ({ id, wave }) => {
    const { variables } = programEnvironment(host);
    const own = { variables: { ...variables, TELCTL_ROLLOUT: id, TELCTL_ROLLOUT_WAVE: String(wave) } };
    const limits = { timeoutMs: longestMs, signal: host.interrupted };
    const failed = (how: string): string => `the check after wave ${wave} ${how}`;
    try {
      const { code, signal, stdout, timedOut } = await host.processes.runForText(program, args, own, limits);
      if (host.interrupted.aborted) throw new Failure('interrupted', 'Interrupted.');
      const tell = code === 0 ? notices.say : notices.warn;
      for (const text of stdout.split(/\r?\n/)) if (text !== '') tell(`check: ${text}`);
      if (timedOut) return failed(`took longer than ${counted(longestMs / 60_000, 'minute')}`);
      if (code === 0) return undefined;
      return failed(code === null ? `was ended by ${signal}` : `failed with exit code ${code}`);
    } catch (error) {
      if (error instanceof Failure) throw error;
      return failed(
        systemCode(error) === 'ENOENT'
          ? `is not there: ${program}`
          : `cannot be started: ${messageOf(error)}`,
      );
    }
  };
}
