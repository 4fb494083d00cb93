import { join } from 'node:path';
import { Failure, type FailureKind } from '../../base/failure.ts';
import { quietHost } from '../../base/host/real-host.ts';
import { parseRateLimit } from '../../base/rate-limit.ts';
import { controlAt, type SandboxControl } from './control-client.ts';
import type { ControlInput, ControlReply } from './control-operations.ts';
import type {
  CallRequest,
  Fault,
  FaxRequest,
  PhoneRequest,
  SmsRequest,
  VoicemailRequest,
} from './generated/requests.ts';
import { openSandbox } from './open-sandbox.ts';

export type { CallRequest, Fault, FaxRequest, PhoneRequest, SmsRequest, VoicemailRequest };
export { Failure, type FailureKind };

export interface SandboxOptions {
  /** Port to listen on (default: a free port). */
  readonly port?: number;
  /** Folder of the records (default: in memory). */
  readonly folder?: string;
  /** The service that the sandbox imitates. */
  readonly like?: 'specification' | 'kazoo';
  /** Maximum rate of requests, `RATE[:BURST]`, such as `10/s:100`. */
  readonly rateLimit?: string;
  /** Hosts other than this machine that receive webhooks. */
  readonly allowDeliveriesTo?: readonly string[];
  /** Origins of web pages that can call the sandbox, such as `http://127.0.0.1:3000`. */
  readonly allowOrigins?: readonly string[];
  /** Accept webhook targets on this machine, even if `like` is `kazoo`. */
  readonly allowLoopbackHooks?: boolean;
}

/** The administrator of a new sandbox's account, and the API key. Pass it to `connect`. */
export interface SandboxAdmin {
  readonly accountId: string;
  readonly accountName: string;
  readonly apiKey: string;
  readonly username: string;
  readonly password: string;
}

/** The clock of a sandbox. It cannot go back. */
export interface SandboxClock {
  now(): Promise<Date>;
  /** Advances the clock and returns the new time. Scheduled events up to that time happen. */
  advance(ms: number): Promise<Date>;
  /** Advances the clock to a moment, and returns the new time. */
  set(moment: Date): Promise<Date>;
}

export interface ActiveFault {
  readonly id: string;
  readonly match: string;
  readonly matched: number;
  readonly disturbed: number;
}

export interface SandboxFaults {
  add(fault: Fault): Promise<ActiveFault>;
  list(): Promise<readonly ActiveFault[]>;
  clear(id?: string): Promise<void>;
}

export interface CallReport {
  /** How the call ended, such as `Answered by alice`. */
  readonly words: string;
  readonly seconds: number;
  readonly billedSeconds: number;
  readonly path: readonly string[];
  readonly events: readonly string[];
  /** The complete result, as in `telctl sandbox call -o json`. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The simulated phones of an account. Calls only ring registered phones. */
export interface SandboxPhones {
  register(request: PhoneRequest): Promise<readonly string[]>;
  unregister(request: Pick<PhoneRequest, 'phone' | 'account'>): Promise<readonly string[]>;
  /** Lists the devices of an account. `registered` marks those that ring. */
  list(account?: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Result of a simulated SMS, fax or voicemail message. */
export interface IncomingReport {
  /** Id of the created record. An SMS creates none. */
  readonly id?: string;
  readonly events: readonly string[];
  /** The complete result, as the command with `-o json` shows it. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Named copies of a sandbox with all its records. Without a `folder`, the methods throw a `Failure` (`usage`). */
export interface SandboxSnapshots {
  /** Saves a snapshot. `replace` overwrites an existing one. */
  save(name: string, options?: { readonly replace?: boolean }): Promise<void>;
  /** Replaces all records with those of a snapshot. Tokens issued after the snapshot become invalid. */
  load(name: string): Promise<void>;
  list(): Promise<readonly string[]>;
  delete(name: string): Promise<void>;
}

export interface Sandbox {
  readonly baseUrl: string;
  readonly port: number;
  readonly admin: SandboxAdmin;
  readonly clock: SandboxClock;
  readonly faults: SandboxFaults;
  readonly phones: SandboxPhones;
  call(request: CallRequest): Promise<CallReport>;
  sms(request: SmsRequest): Promise<IncomingReport>;
  fax(request: FaxRequest): Promise<IncomingReport>;
  voicemail(request: VoicemailRequest): Promise<IncomingReport>;
  readonly snapshots: SandboxSnapshots;
  /** Completes running requests, then stops. */
  stop(): Promise<void>;
}

/** Starts a sandbox in this process. Throws `Failure` if its records or its port cannot be used. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    port = 0,
    folder,
    rateLimit,
    allowDeliveriesTo = [],
    like,
    allowOrigins,
    allowLoopbackHooks,
  } = options;
  const limit = rateLimit === undefined ? undefined : parseRateLimit(rateLimit);
  if (rateLimit !== undefined && limit === undefined)
    throw new Failure('usage', `rateLimit must be RATE[:BURST], not ${JSON.stringify(rateLimit)}.`);
  const host = quietHost({});
  const opened = await openSandbox(host, {
    storage: folder === undefined ? { kind: 'memory' } : { kind: 'folder', folder },
    port,
    like,
    rateLimit: limit,
    allowDeliveriesTo,
    allowOrigins,
    allowLoopbackHooks,
    ...(folder === undefined ? {} : { snapshots: join(folder, 'snapshots') }),
  });
  const { baseUrl, controlKey } = opened;
  const control = controlAt({ host }, { kind: 'exec', baseUrl, controlKey }, { baseUrl, controlKey });
  return {
    baseUrl,
    port: opened.port,
    get admin() {
      const { accountId, accountName, apiKey, adminUsername, adminPassword } = opened.seed;
      return { accountId, accountName, apiKey, username: adminUsername, password: adminPassword };
    },
    clock: sandboxClock(control),
    faults: sandboxFaults(control),
    phones: sandboxPhones(control),
    call: async (request) => callReport(await control.request('call', toSnakeCase(request))),
    sms: async (request) => incomingReport(await control.request('sms', toSnakeCase(request))),
    fax: async (request) => incomingReport(await control.request('fax', toSnakeCase(request))),
    voicemail: async (request) => incomingReport(await control.request('voicemail', toSnakeCase(request))),
    snapshots: sandboxSnapshots(control, folder !== undefined),
    stop: () => opened.close(),
  };
}

function sandboxClock(control: SandboxControl): SandboxClock {
  const advanceClock = async (input: ControlInput<'turnClock'>): Promise<Date> =>
    new Date((await control.request('turnClock', input)).now);
  return {
    now: async () => new Date((await control.request('clock', {})).now),
    advance: (ms) => advanceClock({ advance_ms: ms }),
    set: (moment) => advanceClock({ set: moment.toISOString() }),
  };
}

const sandboxFaults = (control: SandboxControl): SandboxFaults => ({
  add: async (fault) => activeFault(await control.request('addFault', toSnakeCase(fault))),
  list: async () => (await control.request('faults', {})).faults.map(activeFault),
  async clear(id) {
    await (id === undefined ? control.request('clearFaults', {}) : control.request('clearFault', { id }));
  },
});

const sandboxPhones = (control: SandboxControl): SandboxPhones => ({
  register: async (phone) => deviceIds(await control.request('registerPhones', toSnakeCase(phone))),
  unregister: async (phone) => deviceIds(await control.request('unregisterPhones', toSnakeCase(phone))),
  list: async (account) => (await control.request('phones', { account })).phones,
});

function sandboxSnapshots(control: SandboxControl, hasFolder: boolean): SandboxSnapshots {
  const request: SandboxControl['request'] = async (name, input) => {
    if (hasFolder) return control.request(name, input);
    throw new Failure('usage', 'A sandbox in memory has no snapshots. Pass `folder` to startSandbox.');
  };
  return {
    async save(name, { replace = false } = {}) {
      await request('saveSnapshot', { name, replace });
    },
    async load(name) {
      await request('loadSnapshot', { name });
    },
    list: async () => (await request('snapshots', {})).snapshots.map(({ name }) => name),
    async delete(name) {
      await request('deleteSnapshot', { name });
    },
  };
}

const callReport = (details: ControlReply<'call'>): CallReport => ({
  words: details.words,
  seconds: details.duration_seconds,
  billedSeconds: details.billing_seconds,
  path: details.path.map(({ label }) => label),
  events: details.events.map(({ hook }) => hook),
  details,
});

function incomingReport(details: ControlReply<'sms' | 'fax' | 'voicemail'>): IncomingReport {
  const id = details.fax_id ?? details.message_id;
  return {
    ...(id === undefined ? {} : { id: String(id) }),
    events: details.events.map(({ hook }) => hook),
    details,
  };
}

type WireName<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${WireName<Tail>}`
  : S;

/** Converts the keys of a request to those of the controls, such as `delayMs` to `delay_ms`. */
const toSnakeCase = <T extends object>(request: T): { [K in keyof T as WireName<K & string>]: T[K] } =>
  // The keys are renamed exactly as the type describes.
  Object.fromEntries(
    Object.entries(request).map(([key, value]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  ) as { [K in keyof T as WireName<K & string>]: T[K] };

const deviceIds = ({ phones }: Pick<ControlReply<'phones'>, 'phones'>): readonly string[] =>
  phones.map(({ device_id }) => String(device_id));

const activeFault = ({ id, match, matched, disturbed }: ControlReply<'addFault'>): ActiveFault => ({
  id,
  match,
  matched,
  disturbed,
});
