import { shellWord } from '../../../base/wording.ts';
import type { Context } from '../../../command/context.ts';

/** A command that goes on where this one ended: with the profile and account that this one was given as options. */
export function followUpCommand(
  { settings: { profile, account } }: Pick<Context, 'settings'>,
  line: string,
): string {
  const given = [
    ['--profile', profile],
    ['--account', account],
  ] as const;
  return given.reduce(
    (command, [option, { value, source }]) =>
      source === 'option' && value !== undefined ? `${command} ${option} ${shellWord(value)}` : command,
    line,
  );
}
