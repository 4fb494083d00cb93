import type { JsonObject } from '../../src/base/json.ts';
import type { ResourceName } from '../../src/contract/types.ts';
import { makeCall } from '../../src/extensions/calls/engine/make-call.ts';
import type {
  Call,
  CallAccount,
  CallInput,
  PhoneBehaviour,
} from '../../src/extensions/calls/engine/types.ts';

type Kinds = Partial<Record<ResourceName, readonly JsonObject[]>>;

/** An account with two users: 1001 rings the first, 1002 the second with voicemail, 1003 only the second. */
const office: Kinds = {
  users: [
    { id: 'u1', username: 'alice', first_name: 'Alice' },
    { id: 'u2', username: 'bob', caller_id: { external: { number: '+12125550102' } } },
    { id: 'u3', username: 'carol' },
  ],
  devices: [
    { id: 'd1', name: 'Alice desk', owner_id: 'u1', caller_id: { emergency: { number: '+12125550911' } } },
    { id: 'd2', name: 'Bob desk', owner_id: 'u2' },
    { id: 'd3', name: 'Bob mobile', owner_id: 'u2' },
    { id: 'd4', name: 'Carol desk', owner_id: 'u3' },
  ],
  vmboxes: [
    { id: 'v1', mailbox: '1001', owner_id: 'u1' },
    { id: 'v2', mailbox: '1002', owner_id: 'u2' },
  ],
  menus: [{ id: 'm1', name: 'Main', retries: 3, timeout: 10_000, hunt: true }],
  carriers: [],
  system_carriers: [
    { id: 'c1', name: 'first', rules: ['^\\+?\\d+$'], weight_cost: 1, gateways: [{}] },
    { id: 'c2', name: 'second', rules: ['^\\+?\\d+$'], weight_cost: 2, gateways: [{}] },
  ],
};

export const step = (module: string, data: JsonObject = {}, children: JsonObject = {}): JsonObject => ({
  module,
  data,
  children,
});

const flows: readonly JsonObject[] = [
  { id: 'f1', numbers: ['1001'], flow: step('user', { id: 'u1' }, { _: step('voicemail', { id: 'v1' }) }) },
  {
    id: 'f2',
    numbers: ['1002'],
    flow: step('user', { id: 'u2', timeout: 20 }, { _: step('voicemail', { id: 'v2' }) }),
  },
  { id: 'f3', numbers: ['1003'], flow: step('user', { id: 'u2' }) },
  { id: 'f4', numbers: ['1004'], flow: step('user', { id: 'u3' }) },
  { id: 'f0', numbers: ['no_match'], flow: step('offnet') },
  {
    id: 'fm',
    name: 'Main line',
    numbers: ['+12125550140'],
    flow: step('menu', { id: 'm1' }, { 1: step('callflow', { id: 'f2' }) }),
  },
];

function createCallAccount(kinds: Kinds, record: JsonObject = {}): CallAccount {
  const get = (kind: ResourceName, id: string) => kinds[kind]?.find((each) => each.id === id);
  return {
    id: 'a1',
    record: { id: 'a1', name: 'office', timezone: 'UTC', ...record },
    of: (kind) => kinds[kind] ?? [],
    get,
    unknown: new Set(),
    assumesCarrier: false,
  };
}

export interface Setting {
  readonly kinds?: Kinds;
  readonly flows?: readonly JsonObject[];
  readonly record?: JsonObject;
  readonly people?: Readonly<Record<string, PhoneBehaviour>>;
  /** Changes callflows of the office. */
  readonly changeFlow?: (flow: JsonObject) => JsonObject;
  readonly placeOf?: CallAccount['placeOf'];
  readonly unknown?: readonly ResourceName[];
  /** Numbers of other accounts, and their callflows. */
  readonly owns?: Readonly<Record<string, readonly JsonObject[]>>;
}

const silent: PhoneBehaviour = { does: 'does not answer' };

/** Calls from the desk phone of Alice. People answer only if the setting says so. */
export function callOffice(to: string, setting: Setting = {}, input: Partial<CallInput> = {}): Call {
  const kinds = {
    ...office,
    callflows: [...(setting.flows ?? []), ...flows.map(setting.changeFlow ?? ((flow) => flow))],
    ...setting.kinds,
  };
  return makeCall({
    account: {
      ...createCallAccount(kinds, setting.record),
      ...(setting.placeOf ? { placeOf: setting.placeOf } : {}),
      unknown: new Set(setting.unknown ?? []),
      owning: (number) => {
        const callflows = setting.owns?.[number];
        return callflows && createCallAccount({ callflows });
      },
    },
    at: Date.UTC(2026, 10, 23, 10),
    from: { device: 'd1' },
    to,
    people: new Map(Object.entries(setting.people ?? {})),
    others: silent,
    presses: [],
    acts: [],
    pivots: new Map(),
    random: () => 0.5,
    ...input,
  });
}

/** Returns each leg as `A 0-36 NORMAL_CLEARING`: side, start, end and cause. */
export const legsOf = ({ legs }: Call): readonly string[] =>
  legs.map(
    ({ side, device, carrier, began, ended, cause }) =>
      `${side === 'A' ? 'A' : (device ?? carrier)} ${began}-${ended} ${cause}`,
  );
