import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { devices } from '../../contract/resources/devices.ts';
import { users } from '../../contract/resources/users.ts';
import { findNamed, operationFor, pathTo } from '../generic/find-named.ts';
import { flattened } from '../generic/list.ts';
import { quickcall, type quickcallOptions } from '../quickcall.ts';
import type { quickcallArguments, userArguments } from './commands.ts';

/** Lists the devices of a user. */
export async function listDevices(
  input: InputOf<Record<never, never>, typeof userArguments>,
  context: Context,
): Promise<ListResult> {
  const { id } = await findNamed(context, users, input.id);
  const operation = operationFor(devices, 'list-of-user');
  const pages = (await context.api()).pages({ operation, path: pathTo(users, id) });
  const columns = devices.columns.filter(({ header }) => header !== 'USERNAME');
  const hotdesked = { header: 'SIGNED IN', paths: ['hotdesked'], show: 'flag' } as const;
  return {
    ...{ kind: 'list', items: flattened(pages), resource: 'devices', noun: 'devices' },
    columns: [...columns, hotdesked],
  };
}

/** Rings the phones of a user, and then calls a number. */
export const quickcallUser = (
  input: InputOf<typeof quickcallOptions, typeof quickcallArguments>,
  context: Context,
): Promise<Result> => quickcall(context, users, input.id, input);
