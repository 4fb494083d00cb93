import { loadedResource } from '../../../contract/resource.ts';
import type { Operation } from '../../../contract/types.ts';
import type { Command, InputOf, OptionSpecs } from '../../command/command.ts';
import { whereOption } from '../../commands/manifest-options.ts';

/** Options by which a command that acts on one account acts on many. */
export const manyOptions = {
  below: { flag: 'below', doc: 'In every account below the account acted on', excludes: ['accounts'] },
  accounts: {
    flag: 'accounts',
    value: 'FILE',
    doc: 'In the accounts of a list: one a line by id, name or realm, or CSV with a column account; - for standard input',
    completes: 'file',
  },
  ...whereOption,
  canary: {
    flag: 'canary',
    value: 'N',
    type: 'integer',
    minimum: 1,
    doc: 'In the first N accounts, and in the others only if all of those succeeded',
    needs: ['below', 'accounts'],
  },
} as const;

export type ManyInput = InputOf<typeof manyOptions>;

const flags = new Set<string>(Object.values(manyOptions).map(({ flag }) => flag));

/** True when a command line has one of these options, so that the commands that take them must be found out. */
export const namesMany = (argv: readonly string[]): boolean =>
  argv.some((word) => word.startsWith('--') && flags.has(word.slice(2).replace(/=.*$/s, '')));

/** Commands whose service calls are about the caller or this machine, whatever account they name. */
const personal = new Set(['whoami', 'doctor', 'tokens', 'sso']);

/** The options for many accounts, where all that a command calls has an account in its path. */
export async function manyOptionsOf(command: Command): Promise<OptionSpecs> {
  const { path, effect, operations = [], options } = command;
  if (effect === 'local' || personal.has(path[0])) return {};
  if (Object.values(options).some(({ flag }) => flags.has(flag))) return {};
  if (path[0] === 'api') return manyOptions;
  const called = await operationsNamed(operations);
  const areOfAccount = called.every((each) => each.path.startsWith('/accounts/{account_id}'));
  return called.length > 0 && areOfAccount ? manyOptions : {};
}

/** The operations of these ids. All resources are loaded only where one is not: those of a command are, as a rule. */
export async function operationsNamed(ids: readonly string[]): Promise<readonly Operation[]> {
  const known = ids.flatMap(
    (id) => loadedResource(id.split('.', 1)[0] ?? '')?.operations.find((each) => each.id === id) ?? [],
  );
  if (known.length === ids.length) return known;
  const { operationById } = await import('../../../contract/catalogue.ts');
  return ids.map(operationById);
}
