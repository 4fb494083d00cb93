import { join } from 'node:path';
import { Failure, type FailureKind } from '../../base/failure.ts';
import { quietHost } from '../../base/host/real-host.ts';
import { type JsonObject, objectsIn } from '../../base/json.ts';
import { rateLimitIn } from '../../base/rate-limit.ts';
import { controlAt } from './control-line.ts';
import { openSandbox } from './open-sandbox.ts';

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

/** A fault to cause: one of a status, a cut connection and a broken body, or a delay alone. */
export interface Fault {
  /** Requests that it is for, such as `PUT /users*`; all where left out. */
  readonly match?: string;
  /** Answer of it in place of the service's, and the seconds of its `Retry-After`. */
  readonly status?: number;
  readonly retryAfter?: number;
  /** Moment at which the connection is cut: before anything happens, or once all was carried out. */
  readonly drop?: 'before' | 'after';
  /** Breaks the reply off. */
  readonly body?: 'garbage';
  readonly delayMs?: number;
  /** Number of times it strikes at most. */
  readonly times?: number;
  /** Share of the requests that it strikes, 0 to 1, chosen by `seed`. */
  readonly rate?: number;
  readonly seed?: number;
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

/** A call to be simulated. */
export interface CallRequest {
  /** Number, extension or username of the caller. */
  readonly from: string;
  /** Number that is dialled. */
  readonly to: string;
  readonly fromName?: string;
  /** Account, by id, name or realm; that of the administrator where left out. */
  readonly account?: string;
  /** Duration in seconds. */
  readonly duration?: number;
  /** Behaviour of those who are called. */
  readonly answering?: 'answer' | 'no-answer' | 'busy';
  /** Digits that the caller dials, menu by menu; `timeout` for nothing. */
  readonly digits?: readonly string[];
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

/** A registration of a simulated phone. */
export interface PhoneRequest {
  /** Device by id, name, MAC or SIP user name, or a user: all devices of the user. */
  readonly phone: string;
  /** Account, by id, name or realm; that of the administrator where left out. */
  readonly account?: string;
  /** Seconds until it has to register again; what the device says where left out. */
  readonly expires?: number;
  readonly userAgent?: string;
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

/** A message, a fax or a recording that comes from outside. */
interface Incoming {
  /** Number, extension or username of the sender. */
  readonly from: string;
  readonly fromName?: string;
  /** Account, by id, name or realm; that of the administrator where left out. */
  readonly account?: string;
}

/** An SMS that comes to a number of the account, or goes from it. */
export interface SmsRequest extends Omit<Incoming, 'fromName'> {
  readonly to: string;
  readonly body: string;
}

/** A fax to a number of the account. */
export interface FaxRequest extends Incoming {
  readonly to: string;
  /** Number of pages; 1 where left out. */
  readonly pages?: number;
}

/** A message for a voicemail box, past any callflow. */
export interface VoicemailRequest extends Incoming {
  /** Number, name or id of the box. */
  readonly box: string;
  /** Duration; 10 where left out. */
  readonly seconds?: number;
  /** Text of its transcription. */
  readonly text?: string;
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

/** Starts a sandbox in this process. Throws `Failure` where its records or its port cannot be had. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    port = 0,
    folder,
    like,
    rateLimit,
    allowDeliveriesTo = [],
    allowOrigins,
    allowLoopbackHooks,
  } = options;
  const limit = rateLimit === undefined ? undefined : rateLimitIn(rateLimit);
  if (rateLimit !== undefined && limit === undefined)
    throw new Failure('usage', `rateLimit must be RATE[:BURST], and not ${JSON.stringify(rateLimit)}.`);
  const host = quietHost({});
  const opened = await openSandbox(host, {
    keeping: folder === undefined ? { kind: 'memory' } : { kind: 'folder', folder },
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
  const turned = async (body: JsonObject): Promise<Date> =>
    timeIn(await control.post('/sandbox/clock', body));
  const brought = async (what: 'sms' | 'fax' | 'voicemail', body: JsonObject): Promise<IncomingReport> => {
    const details = await control.post(`/sandbox/${what}`, body);
    const id = details.fax_id ?? details.message_id;
    return { ...(id === undefined ? {} : { id: String(id) }), events: eventsIn(details), details };
  };
  const snapshotsPath = (name?: string): string => {
    if (folder === undefined)
      throw new Failure('usage', 'A sandbox in memory has no snapshots; give startSandbox a folder.');
    return `/sandbox/snapshots${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;
  };
  return {
    baseUrl,
    port: opened.port,
    get admin() {
      const { accountId, accountName, apiKey, adminUsername, adminPassword } = opened.seed;
      return { accountId, accountName, apiKey, username: adminUsername, password: adminPassword };
    },
    clock: {
      now: async () => timeIn(await control.get('/sandbox/clock')),
      advance: (ms) => turned({ advance_ms: ms }),
      set: (moment) => turned({ set: moment.toISOString() }),
    },
    faults: {
      add: async ({ delayMs, retryAfter, ...fault }) =>
        faultIn(
          await control.post('/sandbox/faults', { ...fault, delay_ms: delayMs, retry_after: retryAfter }),
        ),
      async list() {
        const { faults } = await control.get('/sandbox/faults');
        return objectsIn(faults).map(faultIn);
      },
      async clear(id) {
        await control.delete(`/sandbox/faults${id === undefined ? '' : `/${encodeURIComponent(id)}`}`);
      },
    },
    phones: {
      register: async ({ userAgent, ...request }) =>
        deviceIds(await control.post('/sandbox/phones/register', { ...request, user_agent: userAgent })),
      unregister: async (request) =>
        deviceIds(await control.post('/sandbox/phones/unregister', { ...request })),
      async list(account) {
        const query = account === undefined ? '' : `?${new URLSearchParams({ account })}`;
        return objectsIn((await control.get(`/sandbox/phones${query}`)).phones);
      },
    },
    async call({ fromName, digits = [], ...request }) {
      const details = await control.post('/sandbox/call', {
        ...request,
        from_name: fromName,
        digits: [...digits],
      });
      return {
        words: String(details.words),
        seconds: Number(details.duration_seconds),
        billedSeconds: Number(details.billing_seconds),
        path: objectsIn(details.path).map(({ label }) => String(label)),
        events: eventsIn(details),
        details,
      };
    },
    sms: (request) => brought('sms', { ...request }),
    fax: ({ fromName, ...request }) => brought('fax', { ...request, from_name: fromName }),
    voicemail: ({ fromName, ...request }) => brought('voicemail', { ...request, from_name: fromName }),
    snapshots: {
      async save(name, { replace = false } = {}) {
        await control.post(snapshotsPath(), { name, replace });
      },
      async load(name) {
        await control.post(`${snapshotsPath(name)}/load`);
      },
      async list() {
        const { snapshots } = await control.get(snapshotsPath());
        return objectsIn(snapshots).map(({ name }) => String(name));
      },
      async delete(name) {
        await control.delete(snapshotsPath(name));
      },
    },
    stop: () => opened.close(),
  };
}

const timeIn = ({ now }: JsonObject): Date => new Date(String(now));

const deviceIds = ({ phones }: JsonObject): readonly string[] =>
  objectsIn(phones).map(({ device_id }) => String(device_id));

const eventsIn = ({ events }: JsonObject): readonly string[] =>
  objectsIn(events).map(({ hook }) => String(hook));

const faultIn = ({ id, match, matched, disturbed }: JsonObject): ActiveFault => ({
  id: String(id),
  match: String(match),
  matched: Number(matched),
  disturbed: Number(disturbed),
});
