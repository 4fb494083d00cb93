import type { Command } from '../../src/cli/command/command.ts';
import { operationById, resourceByName } from '../../src/contract/catalogue.ts';
import { allCommands } from './command-lines.ts';

/** Facts of a command that decide which code carries it out. Its names, fields and columns are not among them. */
function shapeOf({ load, effect, worst, operations: [id] = [], ...command }: Command): string {
  // Commands that differ in their data only are loaded by the same function.
  const own = [String(load), effect, worst, Object.keys(command.arguments).length];
  if (id === undefined) return JSON.stringify(own);
  const { method, path, body, reply, role, repeat, listed, asks, resource } = operationById(id);
  const called = [method, body?.kind, reply.kind, role, repeat, listed?.as, asks?.name];
  const place = [path.match(/\{/g)?.length, path.includes('{account_id}'), resourceByName(resource).kind];
  return JSON.stringify([own, called, place]);
}

/** From this size on, a group of alike commands is stood for by two of them. */
const large = 5;

/**
 * The commands that a table runs if it is about what telctl does with any of them: of each group that the same code
 * carries out, the first one, and the last one of a large group. `COMMANDS=all` runs all of them.
 */
export const distinctCommands: readonly Command[] =
  process.env.COMMANDS === 'all'
    ? allCommands
    : [...Map.groupBy(allCommands, shapeOf).values()].flatMap((alike) => [
        ...alike.slice(0, 1),
        ...(alike.length >= large ? alike.slice(-1) : []),
      ]);
