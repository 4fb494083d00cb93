import { loadedResource } from '../../../contract/resource.ts';
import type { Operation } from '../../../contract/types.ts';
import type { Command, InputOf, OptionSpecs } from '../../command/command.ts';
import { whereOption } from '../../commands/manifest-options.ts';

export const manyOptions = {
  below: { flag: 'below', doc: 'Run in every account below the current one', excludes: ['accounts'] },
  accounts: {
    flag: 'accounts',
    value: 'FILE',
    doc: 'Run in listed accounts: one id, name or realm per line, or CSV with a column account (- for standard input)',
    completes: 'file',
  },
  ...whereOption,
  canary: {
    flag: 'canary',
    value: 'N',
    type: 'integer',
    minimum: 1,
    doc: 'Run in the first N accounts, and in the others only if all of these succeed',
    needs: ['below', 'accounts'],
  },
} as const;

export type ManyInput = InputOf<typeof manyOptions>;

const flags = new Set<string>(Object.values(manyOptions).map(({ flag }) => flag));

/** Returns true if a command line has one of these options. */
export const hasManyOption = (argv: readonly string[]): boolean =>
  argv.some((word) => word.startsWith('--') && flags.has(word.slice(2).replace(/=.*$/s, '')));

/** These commands are about the user or this machine. */
const commandsWithoutAccounts = new Set(['whoami', 'doctor', 'tokens', 'sso']);

/** Returns no options unless all operations of the command have an account in their path. */
export async function manyOptionsOf(command: Command): Promise<OptionSpecs> {
  const { path, effect, operations = [], options } = command;
  if (effect === 'local' || commandsWithoutAccounts.has(path[0])) return {};
  if (Object.values(options).some(({ flag }) => flags.has(flag))) return {};
  if (path[0] === 'api') return manyOptions;
  const called = await operationsNamed(operations);
  const areOfAccount = called.every((each) => each.path.startsWith('/accounts/{account_id}'));
  return called.length > 0 && areOfAccount ? manyOptions : {};
}

/** Loads all resources only if an id is not among the loaded ones. */
export async function operationsNamed(ids: readonly string[]): Promise<readonly Operation[]> {
  const known = ids.flatMap(
    (id) => loadedResource(id.split('.', 1)[0] ?? '')?.operations.find((each) => each.id === id) ?? [],
  );
  if (known.length === ids.length) return known;
  const { operationById } = await import('../../../contract/catalogue.ts');
  return ids.map(operationById);
}
