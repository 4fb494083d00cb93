import type { Command } from '../../src/cli/command/command.ts';
import { operationById, resourceByName } from '../../src/contract/catalogue.ts';
import { allCommands } from './command-lines.ts';

/** Returns the facts of a command that decide which code runs it, without names, fields and columns. */
function codeKey({ load, effect, worst, operations: [id] = [], ...command }: Command): string {
  // Commands that differ only in data are loaded by the same function.
  const own = [String(load), effect, worst, Object.keys(command.arguments).length];
  if (id === undefined) return JSON.stringify(own);
  const { method, path, body, reply, role, repeat, listed, asks, resource } = operationById(id);
  const called = [method, body?.kind, reply.kind, role, repeat, listed?.as, asks?.name];
  const place = [path.match(/\{/g)?.length, path.includes('{account_id}'), resourceByName(resource).kind];
  return JSON.stringify([own, called, place]);
}

/** Groups of equal commands of this size are represented by two of them. */
const large = 5;

/**
 * The commands for tests about any command: the first of each group with equal code, and the last of a large group.
 * `COMMANDS=all` runs all.
 */
export const distinctCommands: readonly Command[] =
  process.env.COMMANDS === 'all'
    ? allCommands
    : [...Map.groupBy(allCommands, codeKey).values()].flatMap((alike) => [
        ...alike.slice(0, 1),
        ...(alike.length >= large ? alike.slice(-1) : []),
      ]);
