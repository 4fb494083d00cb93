import { timers } from '../../src/base/host/real-host.ts';
import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { callHandlers, inputValidator } from '../../src/extensions/sandbox/control/control.ts';
import type { SandboxMode } from '../../src/extensions/sandbox/differences.ts';
import { queueDeliveries } from '../../src/extensions/sandbox/events/queue-events.ts';
import { makeServices } from '../../src/extensions/sandbox/services.ts';
import { type CalledSandbox, calledSandbox } from './called-sandbox.ts';
import { seededRandom } from './clock.ts';

/** A sandbox for simulated calls, messages and faxes. */
export interface CallWorld {
  readonly sandbox: CalledSandbox;
  /** Creates a record as the administrator of the account, and returns its id. */
  make(path: string, data: JsonObject): Promise<string>;
  /** Sends a request as the administrator of the account. */
  service(method: string, path: string, data?: Json): Promise<JsonObject>;
  /** Returns the response of a simulation. Throws if it is refused. */
  simulate(
    what: 'call' | 'sms' | 'fax' | 'voicemail' | 'registerPhones' | 'unregisterPhones',
    body: JsonObject,
  ): Promise<JsonObject>;
  /** Events sent to webhooks so far, in order. */
  told(): Promise<readonly JsonObject[]>;
}

/** Creates a sandbox for simulated calls. It delivers no webhooks. */
export async function openCallWorld(like?: SandboxMode): Promise<CallWorld> {
  const sandbox = await calledSandbox({ like });
  const { store, clock, seed } = sandbox;
  const services = makeServices({ store, clock, timers, random: seededRandom(5), version: '5.0.0', like });
  const handlers = callHandlers(services);
  const service: CallWorld['service'] = async (method, path, data) => {
    const token = await sandbox.adminToken();
    const url = `/v2/accounts/${seed.accountId}/${path}`;
    const reply = await sandbox.call(method, url, { token, ...(data ? { data } : {}) });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  const world: CallWorld = {
    sandbox,
    service,
    async make(path, data) {
      const { data: made } = await service('PUT', path, data);
      if (!isObject(made) || typeof made.id !== 'string') throw new Error(`${path} has no id`);
      return made.id;
    },
    async simulate(what, body) {
      const simulate: (input: never) => Promise<unknown> = handlers[what];
      const value = await simulate(inputValidator(what)(body) as never);
      if (!isObject(value)) throw new Error(`no simulation of ${what}`);
      return value;
    },
    async told() {
      await queueDeliveries(await store.dueEvents(clock.now(), 500), services);
      const heads = await store.queueHeads();
      const due = await Promise.all(
        heads.map(({ queue }) =>
          queue.kind === 'webhook' ? store.dueDeliveries(queue.webhookId, clock.now(), 100) : [],
        ),
      );
      return due
        .flat()
        .toSorted((one, other) => one.sequence - other.sequence)
        .map(({ payload }) => payload);
    },
  };
  return world;
}
