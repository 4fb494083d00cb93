import { isObject, type JsonObject } from '../../../base/json.ts';
import type { Api, ApiRequest } from '../../../client/api/api.ts';
import { channels } from '../../../contract/resources/channels.ts';
import { devices } from '../../../contract/resources/devices.ts';
import { groups } from '../../../contract/resources/groups.ts';
import { users } from '../../../contract/resources/users.ts';
import type { Column } from '../../../contract/types.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { genericCommands } from '../generic/commands.ts';
import { flattenPages } from '../generic/list.ts';
import { callCommand, type OperationCommandFacts } from '../operations/operation-command.ts';
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
    doc: 'Keep reporting legs that start, are answered or end, until Ctrl-C',
  },
} as const;

const id = { name: 'ID', doc: 'Id of the leg' } as const;
const actOperation = operationFor(channels, 'act');
const hasEnded = (leg: JsonObject | undefined): boolean => leg === undefined;

const calls: readonly OperationCommandFacts[] = [
  {
    path: ['channels', 'hangup'],
    summary: 'End a live call',
    operation: actOperation,
    arguments: { id },
    data: { action: 'hangup' },
    isDone: hasEnded,
    says: 'Hung up {id}.',
    examples: { 'telctl channels hangup ID': 'End the leg and the leg that it is connected to' },
  },
  {
    path: ['channels', 'transfer'],
    summary: 'Send the other leg of a live call to a number',
    description:
      'ID is the leg of the person who transfers the call. That leg ends, and the leg connected to it is sent to TARGET.',
    operation: actOperation,
    arguments: {
      id,
      target: {
        name: 'TARGET',
        doc: 'Number or extension to send the other leg to',
        into: { data: 'target' },
      },
    },
    options: {
      attended: { doc: 'Talk to the target before the transfer', into: 'nowhere' },
    },
    data: { action: 'transfer', 'transfer-type': 'blind' },
    given: [{ when: { attended: true }, data: { action: 'transfer', 'transfer-type': 'attended' } }],
    isDone: hasEnded,
    says: 'Transferred the other leg of {id} to {target}.',
    examples: { 'telctl channels transfer ID 1002': 'Transfer to an extension' },
  },
  {
    path: ['channels', 'callflow'],
    summary: 'Send a live leg to a callflow',
    operation: actOperation,
    arguments: {
      id,
      callflow: {
        name: 'CALLFLOW',
        doc: 'Id, name or number of the callflow',
        completes: { resource: 'callflows' },
        into: { data: 'id' },
      },
    },
    data: { action: 'callflow' },
    // A leg that no longer exists may already have passed through the callflow.
    isDone: (leg, sent) => (leg === undefined ? undefined : isObject(sent) && leg.callflow_id === sent.id),
    says: 'Sent {id} to callflow {callflow}.',
    examples: { 'telctl channels callflow ID 2000': 'Send it to the callflow of a number' },
  },
  {
    path: ['channels', 'intercept'],
    summary: 'Redirect a live leg to a device, a user or a number',
    operation: actOperation,
    arguments: {
      id,
      target: {
        name: 'TARGET',
        doc: 'Number, or id of the device or user, to redirect the call to',
        into: { data: 'target_id' },
      },
    },
    options: {
      as: {
        value: 'WORD',
        choices: ['device', 'user', 'number'],
        doc: 'Kind of TARGET (default: number)',
        into: { data: 'target_type' },
      },
    },
    data: { action: 'intercept', target_type: 'number' },
    given: [{ when: { as: true }, says: 'Redirected {id} to {as} {target}.' }],
    says: 'Redirected {id} to number {target}.',
    examples: { 'telctl channels intercept ID 1002': 'Ring there instead' },
  },
  {
    path: ['channels', 'break'],
    summary: 'Stop playback to a live leg and continue its callflow',
    operation: actOperation,
    arguments: { id },
    data: { action: 'break' },
    says: 'Stopped playback to {id}.',
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
      'telctl channels metaflow ID record_call --data \'{"action":"start"}\'': 'Start a recording',
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
      'telctl channels list': 'Show the current calls',
      'telctl channels list --user alice': 'Only the legs of one user',
      'telctl channels list --watch': 'Show the current calls and all changes from now on',
    },
    operations: ['channels.list', 'channels.of-user', 'channels.of-device', 'channels.of-group'],
    load: async () => listChannels,
  }),
  ...genericCommands(channels, ['channels'], ['list']),
  ...calls.map(callCommand),
];

const pollIntervalMs = 2000;

type Input = InputOf<typeof listOptions>;

async function chooseListRequest(context: Context, { user, device, group }: Input): Promise<ApiRequest> {
  const listRequest = (verb: string, path: ApiRequest['path'] = {}): ApiRequest => ({
    operation: operationFor(channels, verb),
    path,
  });
  if (user !== undefined)
    return listRequest('of-user', pathTo(users, (await findNamed(context, users, user)).id));
  if (group !== undefined)
    return listRequest('of-group', pathTo(groups, (await findNamed(context, groups, group)).id));
  return device === undefined
    ? listRequest('list')
    : listRequest('of-device', pathTo(devices, (await findNamed(context, devices, device)).id));
}

const columns: readonly Column[] = [{ header: 'EVENT', paths: ['event'] }, ...channels.columns];
const widths = [8, 20, 7, 9, 8, 12, 16];

async function listChannels(input: Input, context: Context): Promise<ListResult> {
  const call = await chooseListRequest(context, input);
  const api = await context.api();
  if (input.watch)
    return { kind: 'list', items: watchLegs(context, api, call), columns, live: widths, noun: 'events' };
  return { kind: 'list', items: flattenPages(api.pages(call)), resource: 'channels', noun: 'legs' };
}

export async function legsNow(api: Api, call: ApiRequest): Promise<ReadonlyMap<string, JsonObject>> {
  const legs = new Map<string, JsonObject>();
  for await (const leg of flattenPages(api.pages(call))) legs.set(String(leg.uuid ?? leg.id ?? ''), leg);
  return legs;
}

/** Compares two lists of live legs and yields the legs that started, were answered or ended. */
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

/** Polls the live legs every two seconds and yields their changes. Ctrl-C ends it without an error. */
async function* watchLegs({ host }: Context, api: Api, call: ApiRequest): AsyncGenerator<JsonObject> {
  let before: ReadonlyMap<string, JsonObject> = new Map();
  try {
    while (true) {
      const now = await legsNow(api, call);
      yield* channelChanges(before, now);
      before = now;
      await host.clock.sleep(pollIntervalMs, host.interrupted);
    }
  } catch (error) {
    if (!host.interrupted.aborted) throw error;
  }
}
