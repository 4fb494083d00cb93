import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '../../../base/json.ts';
import { seededNumbers } from '../../calls/engine/clock.ts';
import type { ControlHandlers, ControlInput } from '../control-operations.ts';
import { explainPattern, type FaultRule, matchesRequest, parsePattern } from '../fault-rule.ts';
import { invalidRequest, Refusal } from '../refusal.ts';
import { isSandboxUrl } from '../requests/routes.ts';
import type { ControlParts } from './control.ts';
import { logDroppedRequest, notes } from './request-log.ts';

/** Throws `Refusal` if the fields of a fault contradict each other. */
function checkFault(fault: ControlInput<'addFault'>): void {
  const { match = '*', status, drop, delay_ms: delayMs, body, retry_after: retryAfter } = fault;
  if (!parsePattern(match)) throw invalidRequest(explainPattern(match));
  const ways = [status, drop, body].filter((way) => way !== undefined);
  if (ways.length > 1) throw invalidRequest('A fault can only have one of status, drop and body.');
  if (ways.length === 0 && delayMs === undefined)
    throw invalidRequest('A fault needs a status, drop, delay or body.');
  if (retryAfter !== undefined && status === undefined) throw invalidRequest('retry_after needs status.');
}

function createRule(fault: ControlInput<'addFault'>, newSeed: () => number): Omit<FaultRule, 'id'> {
  const { match = '*', status, drop, body, times, rate, seed = newSeed() } = fault;
  const { delay_ms: delayMs, retry_after: retryAfter } = fault;
  return { match, seed, status, retryAfter, drop, delayMs, body, times, rate };
}

const faultFacts = ({ rule, matched, disturbed }: FaultCount): JsonObject => ({
  id: rule.id,
  match: rule.match,
  status: rule.status ?? null,
  retry_after: rule.retryAfter ?? null,
  drop: rule.drop ?? null,
  delay_ms: rule.delayMs ?? null,
  body: rule.body ?? null,
  times: rule.times ?? null,
  rate: rule.rate ?? null,
  seed: rule.rate === undefined ? null : rule.seed,
  matched,
  disturbed,
});

export const faultHandlers = (
  faults: Faults,
  newSeed: () => number,
): Pick<ControlHandlers, 'faults' | 'addFault' | 'clearFaults' | 'clearFault'> => ({
  faults: async () => ({ faults: faults.list().map(faultFacts) }),
  async addFault(fault) {
    checkFault(fault);
    const rule = createRule(fault, newSeed);
    if (fault.dry_run) return faultFacts({ rule: { id: '', ...rule }, matched: 0, disturbed: 0 });
    return faultFacts(faults.add(rule));
  },
  async clearFaults() {
    const cleared = faults.list().length;
    faults.clearAll();
    return { cleared };
  },
  async clearFault({ id }) {
    if (!faults.clear(id)) throw new Refusal(404, 'not_found', `Fault ${id} not found.`);
    return { cleared: 1 };
  },
});

export interface FaultCount {
  readonly rule: FaultRule;
  /** Number of requests that matched its pattern. */
  readonly matched: number;
  readonly disturbed: number;
}

interface ActiveRule {
  readonly rule: FaultRule;
  readonly fits: (method: string, path: string) => boolean;
  readonly fraction: () => number;
  matched: number;
  disturbed: number;
}

export class Faults {
  readonly #rules = new Map<string, ActiveRule>();
  #last = 0;

  /** Adds a rule. `parsePattern` must accept its pattern. */
  add(rule: Omit<FaultRule, 'id'>): FaultCount {
    const pattern = parsePattern(rule.match);
    if (!pattern) throw new Error(`${rule.match} is not a pattern`);
    this.#last += 1;
    const id = String(this.#last);
    const kept: ActiveRule = {
      rule: { id, ...rule },
      fits: (method, path) => matchesRequest(pattern, method, path),
      fraction: seededNumbers(rule.seed),
      matched: 0,
      disturbed: 0,
    };
    this.#rules.set(id, kept);
    return kept;
  }

  list(): readonly FaultCount[] {
    return [...this.#rules.values()].map(({ rule, matched, disturbed }) => ({ rule, matched, disturbed }));
  }

  clear(id: string): boolean {
    return this.#rules.delete(id);
  }

  clearAll(): void {
    this.#rules.clear();
  }

  /** Returns the first rule that affects a request, and counts the request. */
  take(method: string, path: string): FaultRule | undefined {
    for (const kept of this.#rules.values()) {
      const { rule } = kept;
      if (!kept.fits(method, path)) continue;
      kept.matched += 1;
      if (kept.disturbed >= (rule.times ?? Number.POSITIVE_INFINITY)) continue;
      if (rule.rate !== undefined && kept.fraction() >= rule.rate) continue;
      kept.disturbed += 1;
      return rule;
    }
    return undefined;
  }
}

/** Codes and messages of the service for faults (Conventions, Errors). */
const faultErrors: ReadonlyMap<number, readonly [code: string, message: string]> = new Map([
  [401, ['invalid_credentials', 'The token or the credentials are not valid.']],
  [403, ['forbidden', 'This is not allowed.']],
  [404, ['bad_identifier', 'No record has this id.']],
  [409, ['datastore_conflict', 'Another request changed the record at the same time.']],
  [429, ['too_many_requests', 'Too many requests.']],
  [500, ['unspecified_fault', 'The service failed.']],
  [502, ['unspecified_fault', 'The service failed.']],
  [503, ['datastore_unreachable', 'The service is not available now.']],
  [504, ['unspecified_fault', 'The service took too long.']],
]);

function faultRefusal(status: number): Refusal {
  const [code, message] = faultErrors.get(status) ?? ['unspecified_fault', 'Injected fault.'];
  return new Refusal(status, code, message);
}

const describeFault = ({ id, drop, body, status, delayMs }: FaultRule): string => {
  const what = [
    delayMs === undefined ? undefined : `${delayMs} ms late`,
    drop === undefined ? undefined : `dropped ${drop}`,
    body,
    status,
  ].filter((each) => each !== undefined);
  return `fault ${id}: ${what.join(', ')}`;
};

/** Sends an error of the service, in the format of the operation. */
export type Refuse = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) => FastifyReply;

export function applyFaults(app: FastifyInstance, parts: ControlParts, refuse: Refuse): void {
  const { faults, clock } = parts;
  const after = new WeakMap<FastifyRequest, FaultRule>();
  const ending = new AbortController();
  app.addHook('preClose', async () => ending.abort());

  const cutConnection = (request: FastifyRequest, reply: FastifyReply): void => {
    logDroppedRequest(parts, request, reply);
    reply.raw.destroy();
    request.raw.destroy();
  };

  /** Waits. Resolves to false if the client disconnects or the sandbox stops. */
  const waitOrDisconnect = async (ms: number, request: FastifyRequest): Promise<boolean> => {
    const gone = new AbortController();
    const onClose = (): void => gone.abort();
    request.raw.socket?.once?.('close', onClose);
    try {
      await clock.sleep(ms, AbortSignal.any([gone.signal, ending.signal]));
      return true;
    } catch {
      return false;
    } finally {
      request.raw.socket?.off?.('close', onClose);
    }
  };

  app.addHook('preHandler', async (request, reply) => {
    if (isSandboxUrl(request.originalUrl)) return undefined;
    const [path = ''] = request.originalUrl.split('?');
    const rule = faults.take(request.method, path);
    if (!rule) return undefined;
    notes.set(request, describeFault(rule));
    if (rule.delayMs !== undefined && !(await waitOrDisconnect(rule.delayMs, request))) {
      reply.hijack();
      cutConnection(request, reply);
      return reply;
    }
    if (rule.drop === 'before') {
      reply.hijack();
      cutConnection(request, reply);
      return reply;
    }
    if (rule.drop === 'after' || rule.body) after.set(request, rule);
    if (rule.status === undefined) return undefined;
    if (rule.retryAfter !== undefined) reply.header('retry-after', String(rule.retryAfter));
    return refuse(request, reply, faultRefusal(rule.status));
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const rule = after.get(request);
    if (rule?.drop === 'after') cutConnection(request, reply);
    if (!rule?.body || typeof payload !== 'string') return payload;
    return payload.slice(0, Math.ceil(payload.length / 2));
  });
}
