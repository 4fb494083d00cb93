import { onTestFinished } from 'vitest';
import { timers } from '../../src/base/host/real-host.ts';
import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import {
  type Deliveries,
  type DeliverySettings,
  startDeliveries,
} from '../../src/extensions/sandbox/events/deliverer.ts';
import { makeServices, type Services } from '../../src/extensions/sandbox/services.ts';
import { openStore } from '../../src/extensions/sandbox/store/sqlite-store.ts';
import type { Store } from '../../src/extensions/sandbox/store/store.ts';
import { type CalledSandbox, calledSandbox } from './called-sandbox.ts';
import { seededRandom } from './clock.ts';
import { type SteppedClock, steppedClock } from './stepped-clock.ts';

/** A sandbox that delivers events to real receivers, with a fixed clock. */
export interface DeliveringSandbox {
  readonly sandbox: CalledSandbox;
  readonly services: Services;
  readonly clock: SteppedClock;
  /** Path of the account's webhooks. */
  readonly path: string;
  /** Creates a webhook in an account (default: the own one) and returns its id. */
  subscribe(fields: JsonObject, accountId?: string): Promise<string>;
  /** Sends a request with the administrator's token or another one, and returns `data`. Throws on failure. */
  service(method: string, path: string, data?: Json, token?: string): Promise<JsonObject>;
  /** Returns the attempts of a webhook, newest first. */
  attempts(webhookId: string, query?: string): Promise<readonly JsonObject[]>;
  /** Waits until all due work is done. */
  idle(): Promise<void>;
  /** Turns the clock, and waits. */
  turn(ms: number): Promise<void>;
  stop(): Promise<void>;
  start(delivering?: Partial<DeliverySettings>): void;
}

/** Starts a delivering sandbox for the current test. */
export async function deliveringSandbox(
  delivering: Partial<DeliverySettings> & { readonly store?: Store } = {},
): Promise<DeliveringSandbox> {
  const { store = openStore(':memory:'), ...more } = delivering;
  const clock = steppedClock();
  const random = seededRandom(7);
  const services = makeServices({ store, clock, timers, random, version: '5.0.0' });
  const sandbox = await calledSandbox({ store, random }, { clock, services });
  const token = await sandbox.adminToken();
  let deliveries: Deliveries | undefined;
  const world: DeliveringSandbox = {
    sandbox,
    services,
    clock,
    path: `/v2/accounts/${sandbox.seed.accountId}/webhooks`,
    async subscribe(fields, accountId = sandbox.seed.accountId) {
      const data = { name: 'Test', hook: 'object', custom_data: { type: 'all', action: 'all' }, ...fields };
      return String((await world.service('PUT', `/v2/accounts/${accountId}/webhooks`, data)).id);
    },
    async service(method, path, data, as = token) {
      const absolute = path.startsWith('/') ? path : `/v2/accounts/${sandbox.seed.accountId}/${path}`;
      const sending = { token: as, ...(data === undefined ? {} : { data }) };
      const reply = await sandbox.call(method, absolute, sending);
      if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
      return isObject(reply.data) ? reply.data : {};
    },
    async attempts(webhookId, query = '') {
      const reply = await sandbox.call('GET', `${world.path}/${webhookId}/attempts${query}`, { token });
      return Array.isArray(reply.data) ? reply.data.filter(isObject) : [];
    },
    idle: async () => deliveries?.idle(),
    async turn(ms) {
      clock.turn(ms);
      await world.idle();
    },
    stop: async () => deliveries?.stop(),
    start(changed = {}) {
      deliveries = startDeliveries(services, { allowHosts: [], timeoutMs: 300, ...more, ...changed });
    },
  };
  world.start();
  onTestFinished(async () => {
    await deliveries?.stop();
    await sandbox.app.close();
  });
  return world;
}
