import { isObject, type JsonObject } from '../../../../base/json.ts';
import { pause, type Task } from '../clock.ts';
import {
  branchStep,
  type CallModules,
  type CallRoute,
  dataOf,
  type FlowOutcome,
  type FlowStep,
  firstStep,
  leave,
  playAndLeave,
  stop,
} from '../outcome.ts';
import { groupsOf } from '../parties.ts';
import { findFlow, nonEmptyText, objects, ownersOf, recordId } from '../records.ts';
import { connectLegs } from '../ring.ts';
import { answer, disconnect, endLeg, type Leg, recordHeard, setPlace, visibleLeg } from '../run.ts';
import { stayInCall } from '../waiting.ts';

/** Returns the device of a step, or all devices of its user or group. */
function devicesNamed({ records }: CallRoute, data: JsonObject): readonly string[] {
  const device = nonEmptyText(data.device_id);
  const user = nonEmptyText(data.user_id);
  const group = records.get('groups', nonEmptyText(data.group_id));
  if (device !== undefined) return [device];
  if (user !== undefined) return records.devicesOf(user).map(recordId);
  const members = isObject(group?.endpoints) ? Object.keys(group.endpoints) : [];
  return members.flatMap((id) => [id, ...records.devicesOf(id).map(recordId)]);
}

/** Returns true if the caller is approved. Returns `undefined` if the step names no approved party. */
function isApprovedCaller(route: CallRoute, data: JsonObject): boolean | undefined {
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

/** Returns legs of devices, newest first. */
const legsOfDevices = ({ run, leg }: CallRoute, devices: readonly string[]): readonly Leg[] =>
  run.legs
    .filter(
      (each) =>
        each !== leg &&
        each.ended === undefined &&
        each.device !== undefined &&
        devices.includes(each.device),
    )
    .toReversed();

function* announceFailure(route: CallRoute, prompt: string, why: string): Task<FlowOutcome> {
  answer(route.run, route.leg);
  return yield* playAndLeave(route, prompt, stop(why));
}

/** Connects the caller with the other end of a leg. The leg then ends. */
function* takeOver(route: CallRoute, target: Leg): Task<FlowOutcome> {
  const { run, leg, party } = route;
  const far =
    target.answered === undefined
      ? run.legs.find(({ id }) => id === target.call)
      : visibleLeg(target.partner);
  if (!far || far === leg)
    return yield* announceFailure(route, 'pickup-no_channels', 'There is no call to intercept.');
  answer(run, leg);
  far.stop?.();
  disconnect(run, target);
  endLeg(run, target, 'LOSE_RACE');
  answer(run, far);
  setPlace(run, far, {
    in: 'person',
    name: nonEmptyText(party.user?.username) ?? nonEmptyText(party.device?.name),
  });
  setPlace(run, leg, { in: 'person' });
  yield* connectLegs(run, leg, far);
  return stop();
}

function* pickUp(route: CallRoute, data: JsonObject, devices: readonly string[]): Task<FlowOutcome> {
  if (isApprovedCaller(route, data) === false)
    return yield* announceFailure(
      route,
      'pickup-no_channels',
      'The caller is not allowed to pick up the call.',
    );
  if (devices.length === 0)
    return yield* announceFailure(route, 'pickup-no_users', 'The step names no device, user or group.');
  const target = legsOfDevices(route, devices).find(
    ({ answered, side }) => answered === undefined && side === 'B',
  );
  if (!target) return yield* announceFailure(route, 'pickup-no_channels', 'No phone is ringing.');
  return yield* takeOver(route, target);
}

const approved = 'approved_device_id approved_group_id approved_user_id';

function devicesDialled(route: CallRoute, type: string): readonly string[] | undefined {
  const { records, capture } = route;
  if (capture === undefined) return undefined;
  if (type === 'device')
    return records.account
      .of('devices')
      .filter(({ sip }) => isObject(sip) && sip.username === capture)
      .map(recordId);
  const found = type === 'extension' ? findFlow(records, capture, false) : undefined;
  for (let step = found && firstStep(found.flow); step; step = branchStep(step, '_')) {
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

function* interceptModule(route: CallRoute, data: JsonObject, devices: readonly string[]): Task<FlowOutcome> {
  const owners = devices.flatMap((id) => {
    const device = route.records.get('devices', id);
    return device ? ownersOf(device) : [];
  });
  const isOwn = route.owner !== undefined && owners.includes(route.owner);
  if (!(isApprovedCaller(route, data) ?? isOwn))
    return yield* announceFailure(
      route,
      'intercept-no_channels',
      'The caller is not allowed to intercept the call.',
    );
  if (devices.length === 0)
    return yield* announceFailure(route, 'intercept-no_users', 'The step names no device or user.');
  const [target] = legsOfDevices(route, devices);
  return target
    ? yield* takeOver(route, target)
    : yield* announceFailure(route, 'intercept-no_channels', 'There is no call to intercept.');
}

function* listen(
  route: CallRoute,
  data: JsonObject,
  devices: readonly string[],
  isApproved: boolean,
): Task<FlowOutcome> {
  const { run, leg } = route;
  const target = legsOfDevices(route, devices).find(({ answered }) => answered !== undefined);
  if (!(isApprovedCaller(route, data) ?? isApproved) || !target)
    return yield* announceFailure(
      route,
      'eavesdrop-no_channels',
      target ? 'The caller is not allowed to listen to the call.' : 'There is no call to listen to.',
    );
  answer(run, leg);
  recordHeard(run, leg, `the call of ${target.id}`);
  target.onEnd.push(() => endLeg(run, leg, 'NORMAL_CLEARING'));
  yield* stayInCall(route);
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
      device_id: 'the dialed number selects the device or user',
      user_id: 'the dialed number selects the device or user',
      group_id: 'the dialed number selects the device or user',
    },
    *run(route, step) {
      const data = dataOf(step);
      const devices = devicesDialled(route, nonEmptyText(data.type) ?? 'extension');
      if (!devices)
        return yield* announceFailure(route, 'park-no_caller', 'The step names no device, user or group.');
      return yield* pickUp(route, data, devices);
    },
  },
  intercept: {
    simulated: `device_id group_id user_id ${approved}`,
    run: (route, step) => interceptModule(route, dataOf(step), devicesNamed(route, dataOf(step))),
  },
  intercept_feature: {
    simulated: `type ${approved}`,
    *run(route, step) {
      const data = dataOf(step);
      const devices = devicesDialled(route, nonEmptyText(data.type) ?? 'extension');
      if (!devices)
        return yield* announceFailure(route, 'park-no_caller', 'The step names no device or user.');
      return yield* interceptModule(route, data, devices);
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
      if (owner === undefined)
        return yield* announceFailure(route, 'cf-move-no_owner', 'The phone has no owner.');
      const own = party.device ? recordId(party.device) : '';
      const devices = records
        .devicesOf(owner)
        .map(recordId)
        .filter((id) => id !== own);
      const legs = legsOfDevices(route, devices).filter(({ answered }) => answered !== undefined);
      const [target] = legs;
      if (!target) return yield* announceFailure(route, 'cf-move-no_channel', 'There is no call to move.');
      if (legs.length > 1)
        return yield* announceFailure(
          route,
          'cf-move-too_many_channels',
          'There is more than one call to move.',
        );
      yield* pause(route.run.clock, 0);
      return yield* takeOver(route, target);
    },
  },
};
