import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { formatCount, quoteName, withHeading } from '../../../base/wording.ts';
import type { Command, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import {
  type ChosenAccount,
  chooseAccounts,
  chooseDescendants,
  readAccountList,
} from '../../commands/bulk/choose-accounts.ts';
import { type AccountOutcome, runForAccounts } from '../../commands/bulk/each-account.ts';
import { openPrompter } from '../../terminal/prompts.ts';
import type { RunServices } from '../services.ts';
import { combineResults, type Gathered, gather, hasSucceeded, isIdle } from './combine-results.ts';
import type { ManyInput } from './options.ts';

/** Limit for the accounts that a question names. Further accounts are counted. */
const maxNamed = 8;

/**
 * Runs a command in many accounts, a few at a time, and combines the results. Asks once before changes, for all
 * accounts. After that it asks no more, so charges and resets that need their own consent fail unless an option gives
 * it. Throws `Failure`: `usage` for conflicting options, `interrupted` if the answer is no, and failures of the account
 * lookup.
 */
export async function runMany(
  command: Command,
  input: ParsedInput,
  many: ManyInput,
  services: RunServices,
): Promise<Result> {
  const accounts = await accountsOf(command, input, many, services);
  if (accounts.length === 0) return { kind: 'list', items: [], noun: 'accounts' };
  const changes = !services.options.dryRun && changesSomething(command, input);
  const words = ['telctl', ...command.path].join(' ');
  if (changes) {
    const question = `Run ${words} in ${listAccounts(accounts)}?`;
    if (!(await services.ask.confirm(question, { option: '--yes' })))
      throw new Failure('interrupted', 'Nothing was changed.');
  }
  const handler = await command.load();
  const host = readOnce(services.host);
  const each = (some: readonly ChosenAccount[]): Promise<readonly AccountOutcome<Gathered>[]> =>
    runForAccounts(services, some, {
      async work(account, own) {
        const gathered = await gather(
          await handler(input, contextIn(account, { ...own, host }, services, changes)),
        );
        const { result } = gathered;
        if (result.kind === 'done' && !isIdle(result))
          services.notices.say(withHeading(quoteName(account.label), result.message));
        return gathered;
      },
    });
  const canary = accounts.slice(0, many.canary ?? accounts.length);
  const rest = accounts.slice(canary.length);
  const first = await each(canary);
  const goesOn =
    rest.length === 0 || (first.every(hasSucceeded) && (await confirmRest(services, rest, changes)));
  const then = goesOn ? await each(rest) : rest.map((account) => ({ account, state: 'left' }) as const);
  return combineResults([...first, ...then]);
}

async function accountsOf(
  { path, options }: Command,
  input: ParsedInput,
  { below, accounts, where }: ManyInput,
  services: RunServices,
): Promise<readonly ChosenAccount[]> {
  if (path[0] === 'accounts' && input.id !== undefined)
    throw new Failure('usage', `Give an ID or ${below ? '--below' : '--accounts'}, not both.`);
  const fromInput = Object.entries(options).some(([key, { flag, completes }]) => {
    const given = input[key];
    if (flag.endsWith('-stdin')) return given === true;
    return completes === 'file' && (Array.isArray(given) ? given : [given]).some((each) => each === '-');
  });
  if (fromInput)
    throw new Failure('usage', 'Standard input can be read once, but every account would read it.', {
      hint: 'Use a file instead.',
    });
  return accounts === undefined
    ? chooseDescendants(services)
    : chooseAccounts(services, await readAccountList(services.host, accounts, where));
}

/** `telctl api` changes data with every method except GET. */
const changesSomething = ({ path, effect }: Command, { method }: ParsedInput): boolean =>
  path[0] === 'api' ? method !== 'GET' : effect !== 'read';

function listAccounts(accounts: readonly ChosenAccount[]): string {
  const names = accounts.map(({ label }) => label);
  const more = names.length - maxNamed;
  const shown = more > 1 ? [...names.slice(0, maxNamed), `${more} more`] : names;
  return `${formatCount(accounts.length, 'account')} (${shown.join(', ')})`;
}

async function confirmRest(
  { ask }: RunServices,
  rest: readonly ChosenAccount[],
  changes: boolean,
): Promise<boolean> {
  return (
    !changes ||
    ask.confirm(`All of the first accounts succeeded. Continue with ${listAccounts(rest)}?`, {
      option: '--yes',
    })
  );
}

/** Ordinary questions are already answered for all accounts. */
function contextIn(account: ChosenAccount, own: Context, services: RunServices, agreed: boolean): Context {
  const { host, options, settings } = own;
  const yes = options.yes || agreed;
  return {
    ...own,
    ...services.inAccount(account),
    options: { ...options, yes },
    settings: {
      ...settings,
      account: { value: account.label, source: 'option', from: '--accounts' },
      noInput: { value: true, source: 'default', from: '' },
    },
    ask: openPrompter(host, { available: false, yes, colored: false }),
  };
}

/** Reads each pipe only once, because pipes such as the shell's `<(...)` are then empty. */
function readOnce(host: Host): Host {
  const read = new Map<string, Promise<Buffer>>();
  return {
    ...host,
    files: {
      ...host.files,
      readPipe(path, most, signal) {
        const bytes = read.get(path) ?? host.files.readPipe(path, most, signal);
        read.set(path, bytes);
        return bytes;
      },
    },
  };
}
