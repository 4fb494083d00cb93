import type { JsonObject } from '../../../base/json.ts';
import type { Api, Call } from '../../../client/api/api.ts';
import { channels } from '../../../contract/resources/channels.ts';
import { devices } from '../../../contract/resources/devices.ts';
import { groups } from '../../../contract/resources/groups.ts';
import { users } from '../../../contract/resources/users.ts';
import type { Column } from '../../../contract/types.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { findNamed, operationFor, pathTo } from '../generic/find-named.ts';
import { flattened } from '../generic/list.ts';
import type { listOptions } from './commands.ts';

const pauseMs = 2000;

type Input = InputOf<typeof listOptions>;

/** The list that options choose: of the account, a user, a device or a group. */
async function callOf(context: Context, { user, device, group }: Input): Promise<Call> {
  const of = (verb: string, path: Call['path'] = {}): Call => ({
    operation: operationFor(channels, verb),
    path,
  });
  if (user !== undefined) return of('of-user', pathTo(users, (await findNamed(context, users, user)).id));
  if (group !== undefined)
    return of('of-group', pathTo(groups, (await findNamed(context, groups, group)).id));
  return device === undefined
    ? of('list')
    : of('of-device', pathTo(devices, (await findNamed(context, devices, device)).id));
}

const columns: readonly Column[] = [{ header: 'EVENT', paths: ['event'] }, ...channels.columns];
const widths = [8, 20, 7, 9, 8, 12, 16];

/** Lists live legs, and goes on with what happens to them where that is asked for. */
export async function listChannels(input: Input, context: Context): Promise<ListResult> {
  const call = await callOf(context, input);
  const api = await context.api();
  if (input.watch)
    return { kind: 'list', items: watched(context, api, call), columns, live: widths, noun: 'events' };
  return { kind: 'list', items: flattened(api.pages(call)), resource: 'channels', noun: 'legs' };
}

export async function legsNow(api: Api, call: Call): Promise<ReadonlyMap<string, JsonObject>> {
  const legs = new Map<string, JsonObject>();
  for await (const leg of flattened(api.pages(call))) legs.set(String(leg.uuid ?? leg.id ?? ''), leg);
  return legs;
}

/** What became of live legs between two looks: those that are new, answered, or gone. */
export function* changesOf(
  before: ReadonlyMap<string, JsonObject>,
  now: ReadonlyMap<string, JsonObject>,
): Generator<JsonObject> {
  for (const [id, leg] of now) {
    const known = before.get(id);
    if (!known) yield { event: 'live', ...leg };
    else if (leg.answered === true && known.answered !== true) yield { event: 'answered', ...leg };
  }
  for (const [id, leg] of before) if (!now.has(id)) yield { event: 'ended', ...leg };
}

/** What happens to live legs, as it is seen every two seconds. Ctrl-C ends it well. */
async function* watched({ host }: Context, api: Api, call: Call): AsyncGenerator<JsonObject> {
  let before: ReadonlyMap<string, JsonObject> = new Map();
  try {
    while (true) {
      const now = await legsNow(api, call);
      yield* changesOf(before, now);
      before = now;
      await host.clock.sleep(pauseMs, host.interrupted);
    }
  } catch (error) {
    if (!host.interrupted.aborted) throw error;
  }
}
