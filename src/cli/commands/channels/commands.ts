import { isObject, type JsonObject } from '../../../base/json.ts';
import type { Api, Call } from '../../../client/api/api.ts';
import { channels } from '../../../contract/resources/channels.ts';
import { devices } from '../../../contract/resources/devices.ts';
import { groups } from '../../../contract/resources/groups.ts';
import { users } from '../../../contract/resources/users.ts';
import type { Column } from '../../../contract/types.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { genericCommands } from '../generic/commands.ts';
import { flattened } from '../generic/list.ts';
import { type CallFacts, callCommand } from '../operations/operation-command.ts';
import { findNamed, operationFor, pathTo } from '../records/find-named.ts';

const listOptions = {
  user: {
    value: 'USER',
    doc: 'Only legs of this user',
    completes: { resource: 'users' },
    excludes: ['device', 'group'],
  },
  device: {
    value: 'DEVICE',
    doc: 'Only legs of this device',
    completes: { resource: 'devices' },
    excludes: ['group'],
  },
  group: { value: 'GROUP', doc: 'Only legs of this group', completes: { resource: 'groups' } },
  watch: {
    attended: true,
    short: 'w',
    doc: 'Go on with every leg that starts, is answered or ends, until Ctrl-C',
  },
} as const;

const id = { name: 'ID', doc: 'Its id' } as const;
const act = operationFor(channels, 'act');
const hasEnded = (leg: JsonObject | undefined): boolean => leg === undefined;

const calls: readonly CallFacts[] = [
  {
    path: ['channels', 'hangup'],
    summary: 'End a live call',
    operation: act,
    arguments: { id },
    data: { action: 'hangup' },
    isDone: hasEnded,
    says: 'Hung up {id}.',
    examples: { 'telctl channels hangup ID': 'The leg and its partner end' },
  },
  {
    path: ['channels', 'transfer'],
    summary: 'Send the other leg of a live call to a number',
    description:
      'ID is the leg of who transfers: it ends, and the leg that it is connected with goes to TARGET.',
    operation: act,
    arguments: {
      id,
      target: {
        name: 'TARGET',
        doc: 'Number or extension that the other leg goes to',
        into: { data: 'target' },
      },
    },
    options: {
      attended: { doc: 'Ask at the target first, instead of sending the leg there at once', into: 'nowhere' },
    },
    data: { action: 'transfer', 'transfer-type': 'blind' },
    given: [{ when: { attended: true }, data: { action: 'transfer', 'transfer-type': 'attended' } }],
    isDone: hasEnded,
    says: 'Transferred the other leg of {id} to {target}.',
    examples: { 'telctl channels transfer ID 1002': 'To an extension' },
  },
  {
    path: ['channels', 'callflow'],
    summary: 'Send a live leg to a callflow',
    operation: act,
    arguments: {
      id,
      callflow: {
        name: 'CALLFLOW',
        doc: 'Its id, or its name or one of its numbers',
        completes: { resource: 'callflows' },
        into: { data: 'id' },
      },
    },
    data: { action: 'callflow' },
    // A leg that is gone may have been through the callflow already.
    isDone: (leg, sent) => (leg === undefined ? undefined : isObject(sent) && leg.callflow_id === sent.id),
    says: 'Sent {id} to callflow {callflow}.',
    examples: { 'telctl channels callflow ID 2000': 'To the callflow of a number' },
  },
  {
    path: ['channels', 'intercept'],
    summary: 'Take a live leg over to a device, a user or a number',
    operation: act,
    arguments: {
      id,
      target: {
        name: 'TARGET',
        doc: 'Id of the device or user, or number, that takes the call',
        into: { data: 'target_id' },
      },
    },
    options: {
      as: {
        value: 'WORD',
        choices: ['device', 'user', 'number'],
        doc: 'Kind of TARGET; number by default',
        into: { data: 'target_type' },
      },
    },
    data: { action: 'intercept', target_type: 'number' },
    given: [{ when: { as: true }, says: 'Took {id} over to {as} {target}.' }],
    says: 'Took {id} over to number {target}.',
    examples: { 'telctl channels intercept ID 1002': 'Ring there instead' },
  },
  {
    path: ['channels', 'break'],
    summary: 'Stop what is played to a live leg; its callflow goes on',
    operation: act,
    arguments: { id },
    data: { action: 'break' },
    says: 'Stopped what was played to {id}.',
    examples: { 'telctl channels break ID': 'Skip a prompt' },
  },
  {
    summary: 'Run a step of a metaflow on a live leg: hold, play, record_call and others',
    operation: operationFor(channels, 'metaflow'),
    arguments: {
      id,
      module: {
        name: 'MODULE',
        doc: 'Module of the step: hold, play, record_call, say and others',
        into: { data: 'module' },
      },
    },
    options: {
      data: {
        value: 'JSON',
        doc: 'Data of the step, as a JSON object',
        as: 'object',
        into: { data: 'data' },
      },
    },
    data: { data: {}, children: {} },
    says: 'Sent the step {module} to {id}.',
    examples: {
      'telctl channels metaflow ID record_call --data \'{"action":"start"}\'': 'Begin to record',
    },
  },
];

export const channelsCommands: readonly Command[] = [
  defineCommand({
    path: ['channels', 'list'],
    summary: 'List live calls, leg by leg',
    options: listOptions,
    effect: 'read',
    examples: {
      'telctl channels list': 'Who is on the phone now',
      'telctl channels list --user alice': 'Only the legs of one user',
      'telctl channels list --watch': 'And what happens from here on',
    },
    operations: ['channels.list', 'channels.of-user', 'channels.of-device', 'channels.of-group'],
    load: async () => listChannels,
  }),
  ...genericCommands(channels, ['channels'], ['list']),
  ...calls.map(callCommand),
];

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
async function listChannels(input: Input, context: Context): Promise<ListResult> {
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
export function* channelChanges(
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
      yield* channelChanges(before, now);
      before = now;
      await host.clock.sleep(pauseMs, host.interrupted);
    }
  } catch (error) {
    if (!host.interrupted.aborted) throw error;
  }
}
