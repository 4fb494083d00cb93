import { Failure, type FailureKind } from '../base/failure.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { rateLimitIn } from '../base/rate-limit.ts';
import { controlAt } from '../commands/sandbox/control.ts';
import { openSandbox } from '../commands/sandbox/run/open-sandbox.ts';
import { quietHost } from '../host/quiet-host.ts';

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

/** A sandbox that runs in this process. */
export interface Sandbox {
  readonly baseUrl: string;
  readonly port: number;
  readonly admin: SandboxAdmin;
  readonly clock: SandboxClock;
  readonly faults: SandboxFaults;
  /** Simulates a call. */
  call(request: CallRequest): Promise<CallReport>;
  /** Answers what is under way, then ends. */
  stop(): Promise<void>;
}

/** Starts a sandbox in this process. Throws `Failure` where its records or its port cannot be had. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, folder, like, rateLimit, allowDeliveriesTo = [] } = options;
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
  });
  const { baseUrl, controlKey } = opened;
  const control = controlAt({ host }, { kind: 'exec', baseUrl, controlKey }, { baseUrl, controlKey });
  const turned = async (body: JsonObject): Promise<Date> =>
    timeIn(await control.post('/sandbox/clock', body));
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
        events: objectsIn(details.events).map(({ event }) => String(event)),
        details,
      };
    },
    stop: () => opened.close(),
  };
}

const timeIn = ({ now }: JsonObject): Date => new Date(String(now));

const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

const faultIn = ({ id, match, matched, disturbed }: JsonObject): ActiveFault => ({
  id: String(id),
  match: String(match),
  matched: Number(matched),
  disturbed: Number(disturbed),
});
