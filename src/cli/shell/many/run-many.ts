import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { counted, headed, quoted } from '../../../base/wording.ts';
import type { Command, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import {
  accountsBelow,
  type ChosenAccount,
  chooseAccounts,
  readAccountList,
} from '../../commands/bulk/choose-accounts.ts';
import { type AccountEnd, overAccounts } from '../../commands/bulk/over-accounts.ts';
import { prompterOn } from '../../terminal/prompts.ts';
import type { Services } from '../services.ts';
import { combineResults, type Gathered, gather, isIdle, wentWell } from './combine-results.ts';
import type { ManyInput } from './options.ts';

/** Names that a question says; more are counted. */
const namedAtMost = 8;

/**
 * Runs a command in many accounts, a few at a time, and gives what came of it as one result. What changes
 * something is asked about once, for all of them; after that nothing is asked, and charges and resets that
 * need words of their own fail where those were not given. Throws `Failure`: `usage` for options that do not
 * go together, `interrupted` if the answer is no, and what finding the accounts throws.
 */
export async function runMany(
  command: Command,
  input: ParsedInput,
  many: ManyInput,
  services: Services,
): Promise<Result> {
  const accounts = await accountsOf(command, input, many, services);
  if (accounts.length === 0) return { kind: 'list', items: [], noun: 'accounts' };
  const changes = !services.options.dryRun && changesSomething(command, input);
  const words = ['telctl', ...command.path].join(' ');
  if (changes) {
    const question = `Run ${words} in ${namesOf(accounts)}?`;
    if (!(await services.ask.confirm(question, { option: '--yes' })))
      throw new Failure('interrupted', 'Nothing was changed.');
  }
  const handler = await command.load();
  const host = readOnce(services.host);
  const each = (some: readonly ChosenAccount[]): Promise<readonly AccountEnd<Gathered>[]> =>
    overAccounts(services, some, {
      what: 'accounts',
      async work(account, own) {
        const gathered = await gather(
          await handler(input, contextIn(account, { ...own, host }, services, changes)),
        );
        const { result } = gathered;
        if (result.kind === 'done' && !isIdle(result))
          services.notices.say(headed(quoted(account.word), result.message));
        return gathered;
      },
    });
  const canary = accounts.slice(0, many.canary ?? accounts.length);
  const rest = accounts.slice(canary.length);
  const first = await each(canary);
  const goesOn = rest.length === 0 || (first.every(wentWell) && (await isToGoOn(services, rest, changes)));
  const then = goesOn ? await each(rest) : rest.map((account) => ({ account, state: 'left' }) as const);
  return combineResults([...first, ...then]);
}

async function accountsOf(
  { path, options }: Command,
  input: ParsedInput,
  { below, accounts, where }: ManyInput,
  services: Services,
): Promise<readonly ChosenAccount[]> {
  if (path[0] === 'accounts' && input.id !== undefined)
    throw new Failure('usage', `Give an ID or ${below ? '--below' : '--accounts'}, not both.`);
  const fromInput = Object.entries(options).some(([key, { flag, completes }]) => {
    const given = input[key];
    if (flag.endsWith('-stdin')) return given === true;
    return completes === 'file' && (Array.isArray(given) ? given : [given]).some((each) => each === '-');
  });
  if (fromInput)
    throw new Failure('usage', 'Standard input can be read once, and each account would read it.', {
      hint: 'Put it into a file.',
    });
  return accounts === undefined
    ? accountsBelow(services)
    : chooseAccounts(services, await readAccountList(services.host, accounts, where));
}

/** `telctl api` changes something by every method but GET; of the others their effect says it. */
const changesSomething = ({ path, effect }: Command, { method }: ParsedInput): boolean =>
  path[0] === 'api' ? method !== 'GET' : effect !== 'read';

function namesOf(accounts: readonly ChosenAccount[]): string {
  const names = accounts.map(({ word }) => word);
  const more = names.length - namedAtMost;
  const shown = more > 1 ? [...names.slice(0, namedAtMost), `${more} more`] : names;
  return `${counted(accounts.length, 'account')} (${shown.join(', ')})`;
}

async function isToGoOn(
  { ask }: Services,
  rest: readonly ChosenAccount[],
  changes: boolean,
): Promise<boolean> {
  return (
    !changes || ask.confirm(`All of the first succeeded. Go on with ${namesOf(rest)}?`, { option: '--yes' })
  );
}

/** The context of one account among many; ordinary questions were answered for all of them. */
function contextIn(account: ChosenAccount, own: Context, services: Services, agreed: boolean): Context {
  const { host, options, settings } = own;
  const yes = options.yes || agreed;
  return {
    ...own,
    ...services.inAccount(account),
    options: { ...options, yes },
    settings: {
      ...settings,
      account: { value: account.word, source: 'option', from: '--accounts' },
      noInput: { value: true, source: 'default', from: '' },
    },
    ask: prompterOn(host, { available: false, yes, coloured: false }),
  };
}

/** A machine whose pipes are read once: a pipe, such as `<(...)` of a shell, is empty for whoever reads it again. */
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
