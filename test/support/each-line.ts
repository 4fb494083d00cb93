import { expect } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import type { Command } from '../../src/cli/command/command.ts';
import { type CommandLine, linesFor } from './command-lines.ts';
import type { SentRequest } from './inject-transport.ts';
import { isSignIn, openWorld, type Run, type World } from './world.ts';

/** A command as it is typed. */
export const nameOf = ({ path }: Command): string => `telctl ${path.join(' ')}`;
/** True for one that speaks to the service. */
export const isRemote = ({ effect, path }: Command): boolean => effect !== 'local' && path[0] !== 'sandbox';
/** True for one that can change something there. */
export const canChange = ({ effect, worst = effect }: Command): boolean => worst !== 'read';

/** A token exchanged for a new one, which is a sign-in and changes nothing. */
const isExchange = ({ body }: SentRequest): boolean => isObject(body) && body.action === 'refresh_token';
/** The requests of a run that can change something. */
export const writes = ({ requests }: Run) =>
  requests.filter((request) => request.method !== 'GET' && !isSignIn(request) && !isExchange(request));
/** Requests by method and path. */
export const named = (
  sent: readonly { readonly method: string; readonly path: string }[],
): readonly string[] => sent.map(({ method, path }) => `${method} ${path}`);

/** Calls `attempt` for each line of a command, each in a world of its own. Fails where there is none. */
export async function eachLine(
  command: Command,
  isMeant: (line: CommandLine) => boolean,
  attempt: (world: World, line: CommandLine) => Promise<void>,
): Promise<void> {
  let tried = 0;
  for (let index = 0, count = 1; index < count; index += 1) {
    const world = await openWorld();
    const lines = await linesFor(command, world);
    count = lines.length;
    const line = lines[index];
    if (!line || !isMeant(line)) continue;
    await attempt(world, line);
    tried += 1;
  }
  expect(tried).toBeGreaterThan(0);
}
