import { Failure } from '../../base/failure.ts';
import { isObject } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { registrations } from '../../contract/resources/registrations.ts';
import { act } from '../act.ts';
import { operationFor, refuseUnnamed } from '../generic/find-named.ts';
import { flattened } from '../generic/list.ts';
import type { endArguments, endOptions, everywhereOptions } from './commands.ts';

/** Lists the phones that are registered. */
export async function listRegistrations(
  { everywhere }: InputOf<typeof everywhereOptions>,
  context: Context,
): Promise<ListResult> {
  const operation = operationFor(registrations, everywhere ? 'list-everywhere' : 'list');
  const items = flattened((await context.api()).pages({ operation }));
  return { kind: 'list', items, resource: 'registrations', noun: 'registrations' };
}

/** Counts the phones that are registered. */
export async function countRegistrations(
  { everywhere }: InputOf<typeof everywhereOptions>,
  context: Context,
): Promise<Result> {
  const operation = operationFor(registrations, everywhere ? 'count-everywhere' : 'count');
  const { data } = await (await context.api()).call({ operation });
  const count = isObject(data) ? data.count : undefined;
  if (typeof count !== 'number') throw new Failure('failed', 'The service did not answer with a number.');
  return { kind: 'text', text: [String(count)], value: { count } };
}

/** Ends the registrations of a SIP user name, or all; phones that are there register anew. */
export async function endRegistrations(
  { username, all }: InputOf<typeof endOptions, typeof endArguments>,
  context: Context,
): Promise<Result> {
  if (username === undefined && !all)
    throw new Failure('usage', 'Which registrations are to end is missing.', {
      hint: 'Give a SIP user name, or --all: telctl registrations list shows them.',
    });
  if (username !== undefined) refuseUnnamed(registrations, username);
  const what =
    username === undefined ? 'all registrations of the account' : `the registrations of ${username}`;
  if (!context.options.dryRun && !(await context.ask.confirm(`End ${what}?`, { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was changed.');
  return act(context, {
    call:
      username === undefined
        ? { operation: operationFor(registrations, 'end-all') }
        : { operation: operationFor(registrations, 'end'), path: { username } },
    message: () => `Ended ${what}.`,
  });
}
