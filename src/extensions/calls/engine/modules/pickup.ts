import { isObject, type JsonObject } from '../../../../base/json.ts';
import { pause, type Task } from '../clock.ts';
import {
  type CallModules,
  type CallRoute,
  dataOf,
  type FlowOutcome,
  type FlowStep,
  firstStep,
  hearThen,
  leave,
  stepBehind,
  stop,
} from '../outcome.ts';
import { groupsOf } from '../parties.ts';
import { findFlow, nonEmptyText, objects, ownersOf, recordId } from '../records.ts';
import { connected } from '../ring.ts';
import { answer, endLeg, heard, type Leg, seen, separate, setPlace } from '../run.ts';
import { stay } from '../waiting.ts';

/** Devices of whoever a step names: a device, a user, or all of a group. */
function devicesNamed({ records }: CallRoute, data: JsonObject): readonly string[] {
  const device = nonEmptyText(data.device_id);
  const user = nonEmptyText(data.user_id);
  const group = records.get('groups', nonEmptyText(data.group_id));
  if (device !== undefined) return [device];
  if (user !== undefined) return records.devicesOf(user).map(recordId);
  const members = isObject(group?.endpoints) ? Object.keys(group.endpoints) : [];
  return members.flatMap((id) => [id, ...records.devicesOf(id).map(recordId)]);
}

/** Who may do what a step offers; `undefined` if the step does not say. */
function approval(route: CallRoute, data: JsonObject): boolean | undefined {
  const { party, records } = route;
  const device = nonEmptyText(data.approved_device_id);
  const user = nonEmptyText(data.approved_user_id);
  const group = nonEmptyText(data.approved_group_id);
  if (device !== undefined) return party.device !== undefined && recordId(party.device) === device;
  if (user !== undefined) return route.owner === user;
  if (group === undefined) return undefined;
  const mine = [party.device && recordId(party.device), route.owner].flatMap((each) => each ?? []);
  return groupsOf(records, mine).has(group);
}

/** Legs of devices, the newest first. */
const legsOf = ({ run, leg }: CallRoute, devices: readonly string[]): readonly Leg[] =>
  run.legs
    .filter(
      (each) =>
        each !== leg &&
        each.ended === undefined &&
        each.device !== undefined &&
        devices.includes(each.device),
    )
    .toReversed();

function* told(route: CallRoute, prompt: string, why: string): Task<FlowOutcome> {
  answer(route.run, route.leg);
  return yield* hearThen(route, prompt, stop(why));
}

/** Connects the caller with the party at the other end of a leg, which ends. */
function* takeOver(route: CallRoute, target: Leg): Task<FlowOutcome> {
  const { run, leg, party } = route;
  const far =
    target.answered === undefined ? run.legs.find(({ id }) => id === target.call) : seen(target.partner);
  if (!far || far === leg) return yield* told(route, 'pickup-no_channels', 'There is no call to take.');
  answer(run, leg);
  far.stop?.();
  separate(run, target);
  endLeg(run, target, 'LOSE_RACE');
  answer(run, far);
  setPlace(run, far, {
    in: 'person',
    name: nonEmptyText(party.user?.username) ?? nonEmptyText(party.device?.name),
  });
  setPlace(run, leg, { in: 'person' });
  yield* connected(run, leg, far);
  return stop();
}

function* pickUp(route: CallRoute, data: JsonObject, devices: readonly string[]): Task<FlowOutcome> {
  if (approval(route, data) === false)
    return yield* told(route, 'pickup-no_channels', 'The caller may not pick it up.');
  if (devices.length === 0)
    return yield* told(route, 'pickup-no_users', 'Nobody is named whose calls are picked up.');
  const target = legsOf(route, devices).find(({ answered, side }) => answered === undefined && side === 'B');
  if (!target) return yield* told(route, 'pickup-no_channels', 'No phone rings that could be picked up.');
  return yield* takeOver(route, target);
}

const approved = 'approved_device_id approved_group_id approved_user_id';

/** Devices behind what was dialled: that of a user name of SIP, or those that the flow of the extension rings first. */
function devicesDialled(route: CallRoute, type: string): readonly string[] | undefined {
  const { records, capture } = route;
  if (capture === undefined) return undefined;
  if (type === 'device')
    return records.account
      .of('devices')
      .filter(({ sip }) => isObject(sip) && sip.username === capture)
      .map(recordId);
  const found = type === 'extension' ? findFlow(records, capture, false) : undefined;
  for (let step = found && firstStep(found.flow); step; step = stepBehind(step, '_')) {
    const devices = devicesOfStep(route, step);
    if (devices) return devices;
  }
  return undefined;
}

function devicesOfStep({ records }: CallRoute, step: FlowStep): readonly string[] | undefined {
  const data = dataOf(step);
  const id = nonEmptyText(data.id) ?? '';
  if (step.node.module === 'user') return records.devicesOf(id).map(recordId);
  if (step.node.module === 'device') return [id];
  if (step.node.module !== 'ring_group' && step.node.module !== 'page_group') return undefined;
  const [first] = objects(data.endpoints);
  const member = nonEmptyText(first?.id) ?? '';
  return first?.endpoint_type === 'user' ? records.devicesOf(member).map(recordId) : [member];
}

function* intercepting(route: CallRoute, data: JsonObject, devices: readonly string[]): Task<FlowOutcome> {
  const owners = devices.flatMap((id) => {
    const device = route.records.get('devices', id);
    return device ? ownersOf(device) : [];
  });
  const isOwn = route.owner !== undefined && owners.includes(route.owner);
  if (!(approval(route, data) ?? isOwn))
    return yield* told(route, 'intercept-no_channels', 'The caller may not take the call.');
  if (devices.length === 0)
    return yield* told(route, 'intercept-no_users', 'Nobody is named whose calls are taken.');
  const [target] = legsOf(route, devices);
  return target
    ? yield* takeOver(route, target)
    : yield* told(route, 'intercept-no_channels', 'There is no call to take.');
}

function* listen(
  route: CallRoute,
  data: JsonObject,
  devices: readonly string[],
  isApproved: boolean,
): Task<FlowOutcome> {
  const { run, leg } = route;
  const target = legsOf(route, devices).find(({ answered }) => answered !== undefined);
  if (!(approval(route, data) ?? isApproved) || !target)
    return yield* told(
      route,
      'eavesdrop-no_channels',
      target ? 'The caller may not listen to the call.' : 'There is no call to listen to.',
    );
  answer(run, leg);
  heard(run, leg, `the call of ${target.id}`);
  target.onEnd.push(() => endLeg(run, leg, 'NORMAL_CLEARING'));
  yield* stay(route);
  return leave;
}

export const pickupModules: CallModules = {
  group_pickup: {
    simulated: `device_id group_id user_id ${approved}`,
    run: (route, step) => pickUp(route, dataOf(step), devicesNamed(route, dataOf(step))),
  },
  group_pickup_feature: {
    simulated: `type ${approved}`,
    none: {
      device_id: 'the number that is dialled says whose',
      user_id: 'the number that is dialled says whose',
      group_id: 'the number that is dialled says whose',
    },
    *run(route, step) {
      const data = dataOf(step);
      const devices = devicesDialled(route, nonEmptyText(data.type) ?? 'extension');
      if (!devices) return yield* told(route, 'park-no_caller', 'Nobody is named whose calls are picked up.');
      return yield* pickUp(route, data, devices);
    },
  },
  intercept: {
    simulated: `device_id group_id user_id ${approved}`,
    run: (route, step) => intercepting(route, dataOf(step), devicesNamed(route, dataOf(step))),
  },
  intercept_feature: {
    simulated: `type ${approved}`,
    *run(route, step) {
      const data = dataOf(step);
      const devices = devicesDialled(route, nonEmptyText(data.type) ?? 'extension');
      if (!devices) return yield* told(route, 'park-no_caller', 'Nobody is named whose calls are taken.');
      return yield* intercepting(route, data, devices);
    },
  },
  eavesdrop: {
    simulated: `device_id user_id ${approved}`,
    run: (route, step) => listen(route, dataOf(step), devicesNamed(route, dataOf(step)), false),
  },
  eavesdrop_feature: {
    simulated: `group_id ${approved}`,
    run(route, step) {
      const data = dataOf(step);
      const devices = devicesDialled(route, 'extension') ?? [];
      const group = nonEmptyText(data.group_id);
      const isInGroup =
        group === undefined ||
        groupsOf(route.records, [
          ...devices,
          ...devices.flatMap((id) => ownersOf(route.records.get('devices', id) ?? {})),
        ]).has(group);
      return listen(route, data, isInGroup ? devices : [], group !== undefined && isInGroup);
    },
  },
  move: {
    *run(route) {
      const { owner, records, party } = route;
      if (owner === undefined) return yield* told(route, 'cf-move-no_owner', 'The phone has no owner.');
      const own = party.device ? recordId(party.device) : '';
      const devices = records
        .devicesOf(owner)
        .map(recordId)
        .filter((id) => id !== own);
      const legs = legsOf(route, devices).filter(({ answered }) => answered !== undefined);
      const [target] = legs;
      if (!target) return yield* told(route, 'cf-move-no_channel', 'There is no call to move.');
      if (legs.length > 1)
        return yield* told(route, 'cf-move-too_many_channels', 'There is more than one call to move.');
      yield* pause(route.run.clock, 0);
      return yield* takeOver(route, target);
    },
  },
};
