import { isObject, type Json } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { links } from '../../contract/resources/links.ts';
import { act } from '../act.ts';
import { operationFor, pathTo, refuseUnnamed } from '../generic/find-record.ts';
import type { linkArguments } from './sign-in-commands.ts';

/** Links the signed-in user to an identity; the list shows only own links, so it is named by its id. */
export async function linkUser(
  { id }: InputOf<Record<never, never>, typeof linkArguments>,
  context: Context,
): Promise<Result> {
  refuseUnnamed(links, id);
  return act(context, {
    call: { operation: operationFor(links, 'link'), path: pathTo(links, id) },
    message: (data) => `Linked you to ${emailIn(data) ?? id}.`,
    resource: 'links',
  });
}

const emailIn = (data: Json): string | undefined =>
  isObject(data) && typeof data.email === 'string' ? data.email : undefined;
