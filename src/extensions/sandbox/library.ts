import { join } from 'node:path';
import { Failure, type FailureKind } from '../../base/failure.ts';
import { quietHost } from '../../base/host/real-host.ts';
import { rateLimitIn } from '../../base/rate-limit.ts';
import { controlAt, type SandboxControl } from './control-line.ts';
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

/** Options for starting a sandbox. */
export interface SandboxOptions {
  /** Port to listen on; a free one where left out. */
  readonly port?: number;
  /** Folder of its records; in memory where left out. */
  readonly folder?: string;
  /** Service that it answers like. */
  readonly like?: 'specification' | 'kazoo';
  /** Most requests that it lets through, `RATE[:BURST]`: `10/s:100`. */
  readonly rateLimit?: string;
  /** Hosts besides this machine that webhooks may be delivered to. */
  readonly allowDeliveriesTo?: readonly string[];
  /** Origins of web pages that it answers, each exactly: `http://127.0.0.1:3000`. */
  readonly allowOrigins?: readonly string[];
  /** Takes webhooks with addresses of this machine also where it answers like `kazoo`. */
  readonly allowLoopbackHooks?: boolean;
}

/** The administrator of the account in a fresh sandbox, and its API key: what `connect` takes. */
export interface SandboxAdmin {
  readonly accountId: string;
  readonly accountName: string;
  readonly apiKey: string;
  readonly username: string;
  readonly password: string;
}

/** The time of a sandbox, which goes forward only. */
export interface SandboxClock {
  now(): Promise<Date>;
  /** Turns it forward by milliseconds, and gives the new time. What is due on the way happens. */
  advance(ms: number): Promise<Date>;
  /** Turns it forward to a moment. */
  set(moment: Date): Promise<Date>;
}

/** A fault of a sandbox, and how often it struck. */
export interface ActiveFault {
  readonly id: string;
  readonly match: string;
  readonly matched: number;
  readonly disturbed: number;
}

/** The faults of a sandbox. */
export interface SandboxFaults {
  add(fault: Fault): Promise<ActiveFault>;
  list(): Promise<readonly ActiveFault[]>;
  /** Takes one fault away, or all. */
  clear(id?: string): Promise<void>;
}

/** Route and end of a simulated call. */
export interface CallReport {
  /** The end of the call, in words: `Answered by alice`. */
  readonly words: string;
  readonly seconds: number;
  readonly billedSeconds: number;
  /** The steps of callflows on its way. */
  readonly path: readonly string[];
  /** Names of the events that webhooks were told of. */
  readonly events: readonly string[];
  /** All that the sandbox says, as `telctl sandbox call -o json` shows it. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The phones of an account. A simulated call rings those that are registered. */
export interface SandboxPhones {
  /** Registers phones, and gives the ids of their devices. */
  register(request: PhoneRequest): Promise<readonly string[]>;
  /** Ends registrations, and gives the ids of the devices. */
  unregister(request: Pick<PhoneRequest, 'phone' | 'account'>): Promise<readonly string[]>;
  /** Lists the devices of an account; `registered` says which of them ring. */
  list(account?: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Result of an SMS, a fax or a message. */
export interface IncomingReport {
  /** Id of the record that was made; an SMS leaves none. */
  readonly id?: string;
  /** Names of the events that webhooks were told of. */
  readonly events: readonly string[];
  /** All that the sandbox says, as the command of that name shows it with `-o json`. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Copies of all that a sandbox keeps, by name. Only one with a `folder` has them: others fail with `usage`. */
export interface SandboxSnapshots {
  /** Keeps everything under a name; a snapshot of that name is replaced only where that is said. */
  save(name: string, options?: { readonly replace?: boolean }): Promise<void>;
  /** Puts a snapshot in the place of everything. Tokens from after it are good no longer. */
  load(name: string): Promise<void>;
  list(): Promise<readonly string[]>;
  delete(name: string): Promise<void>;
}

/** A sandbox that runs in this process. */
export interface Sandbox {
  readonly baseUrl: string;
  readonly port: number;
  readonly admin: SandboxAdmin;
  readonly clock: SandboxClock;
  readonly faults: SandboxFaults;
  readonly phones: SandboxPhones;
  /** Simulates a call. */
  call(request: CallRequest): Promise<CallReport>;
  /** Lets an SMS come or go. */
  sms(request: SmsRequest): Promise<IncomingReport>;
  /** Lets a fax arrive. */
  fax(request: FaxRequest): Promise<IncomingReport>;
  /** Leaves a message in a voicemail box. */
  voicemail(request: VoicemailRequest): Promise<IncomingReport>;
  readonly snapshots: SandboxSnapshots;
  /** Answers what is under way, then ends. */
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
  const turn = async (input: ControlInput<'turnClock'>): Promise<Date> =>
    new Date((await control.request('turnClock', input)).now);
  return {
    now: async () => new Date((await control.request('clock', {})).now),
    advance: (ms) => turn({ advance_ms: ms }),
    set: (moment) => turn({ set: moment.toISOString() }),
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

/** A request of a program as the sandbox takes it: `delay_ms` for `delayMs`. */
const toSnakeCase = <T extends object>(request: T): { [K in keyof T as WireName<K & string>]: T[K] } =>
  // Each key is renamed as the type says.
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
