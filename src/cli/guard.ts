import { Failure } from '../base/failure.ts';
import type { Command } from '../command/command.ts';
import type { Context } from '../command/context.ts';

/**
 * Holds a command that changes something against the profile's protection: read-only refuses it, confirm asks.
 * Throws `refused`; `interrupted` where the answer is no. A dry run changes nothing and passes.
 */
export async function guard(command: Command, context: Context): Promise<void> {
  if (command.effect === 'read' || command.effect === 'local' || context.options.dryRun) return;
  const { profile } = await context.session();
  const words = ['telctl', ...command.path].join(' ');
  if (profile.protect === 'read-only') {
    throw new Failure('refused', `Profile "${profile.name}" is read-only; ${words} would change something.`, {
      hint: `Use another profile, or: telctl profiles set ${profile.name} --protect none`,
    });
  }
  if (profile.protect !== 'confirm') return;
  const question = `Profile "${profile.name}" is protected. Run ${words} at ${profile.baseUrl}?`;
  if (!(await context.ask.confirm(question, { option: '--yes' }))) {
    throw new Failure('interrupted', 'Nothing was changed.');
  }
}
