import { expect } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import type { Command } from '../../src/cli/command/command.ts';
import { type CommandLine, createLines } from './command-lines.ts';
import type { SentRequest } from './inject-transport.ts';
import { isSignIn, openWorld, type Run, type World } from './world.ts';

/** Returns a command as typed. */
export const nameOf = ({ path }: Command): string => `telctl ${path.join(' ')}`;
/** Returns true for a command that sends requests to the service. */
export const isRemote = ({ effect, path }: Command): boolean => effect !== 'local' && path[0] !== 'sandbox';
/** Returns true for a command that can change records of the service. */
export const canChange = ({ effect, worst = effect }: Command): boolean => worst !== 'read';

/** A token renewal, which is a sign-in and changes nothing. */
const isExchange = ({ body }: SentRequest): boolean => isObject(body) && body.action === 'refresh_token';
/** Returns the requests of a run that can change something. */
export const writes = ({ requests }: Run) =>
  requests.filter((request) => request.method !== 'GET' && !isSignIn(request) && !isExchange(request));
/** Returns requests by method and path. */
export const named = (
  sent: readonly { readonly method: string; readonly path: string }[],
): readonly string[] => sent.map(({ method, path }) => `${method} ${path}`);

/**
 * Calls `attempt` for each selected line of a command, each in a new world. The first uses the world in which the
 * lines were created. Fails without lines.
 */
export async function eachLine(
  command: Command,
  isMeant: (line: CommandLine) => boolean,
  attempt: (world: World, line: CommandLine, index: number) => Promise<void>,
): Promise<void> {
  const looked = await openWorld();
  const lines = await createLines(command, looked);
  const meant = lines.flatMap((line, index) => (isMeant(line) ? [index] : []));
  for (const [turn, index] of meant.entries()) {
    const world = turn === 0 ? looked : await openWorld();
    const line = (world === looked ? lines : await createLines(command, world))[index];
    if (!line) throw new Error(`${nameOf(command)} no longer has line ${index + 1}.`);
    await attempt(world, line, index);
  }
  expect(meant).not.toEqual([]);
}
