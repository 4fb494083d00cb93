import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import type { Seed } from '../../../sandbox/seed.ts';
import { controlAt } from '../control.ts';
import type { nameOptions } from '../options.ts';
import { targetOf } from '../target.ts';
import { environmentOf } from './environment.ts';
import { needRunning } from './running.ts';

const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

async function variablesFor(context: Context, name: string | undefined) {
  const target = targetOf(context.host, name);
  if (target.kind === 'exec') {
    // As the sandbox itself says: the variables around the command may have been changed since.
    const seed = await controlAt(context, target, target).post('/sandbox/seed');
    return environmentOf(target.baseUrl, seed as unknown as Seed);
  }
  const { baseUrl, seed } = await needRunning(context.host, target.places);
  return environmentOf(baseUrl, seed);
}

/** Prints lines for `eval` in a shell that point telctl at the sandbox. */
export async function printEnvironment(
  input: InputOf<typeof nameOptions>,
  context: Context,
): Promise<Result> {
  const variables = await variablesFor(context, input.name);
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  return { kind: 'document', text: lines.join(''), value: variables, verbatim: true };
}
