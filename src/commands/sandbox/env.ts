import type { InputOf } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import type { Result } from '../../terminal/result.ts';
import { environmentOf } from './environment.ts';
import type { nameOptions } from './options.ts';
import { placesOf } from './places.ts';
import { needRunning } from './running.ts';

const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

/** Prints lines for `eval` in a shell that point telctl at the sandbox. */
export async function printEnvironment(
  input: InputOf<typeof nameOptions>,
  { host }: Context,
): Promise<Result> {
  const { baseUrl, seed } = await needRunning(host, placesOf(host, input.name));
  const variables = environmentOf(baseUrl, seed);
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  return { kind: 'text', text: lines.join(''), value: variables, verbatim: true };
}
