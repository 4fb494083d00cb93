import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/extensions/sandbox/store/sqlite-store.ts';
import { type RealSandbox, sandboxHome } from '../support/real-sandbox.ts';
import { type Received, receiver } from '../support/receiver.ts';

/** Creates a webhook for new users. */
async function subscribe({ ask }: RealSandbox, uri: string, name = 'every user'): Promise<string> {
  const data = {
    name,
    uri,
    hook: 'object',
    format: 'json',
    custom_data: { type: 'user', action: 'doc_created' },
  };
  return String(Object(await ask('PUT', 'webhooks', data)).id);
}

const addUser = async ({ ask }: RealSandbox, index: number): Promise<string> => {
  const names = { first_name: 'A', last_name: String(index) };
  const made = await ask('PUT', 'users', {
    username: `user-${index}`,
    password: 'secret-of-a-user',
    ...names,
  });
  return String(Object(made).id);
};

/** Returns the object ids of the deliveries without duplicates, by first arrival. */
const deliveredIds = (received: readonly Received[]): readonly string[] => [
  ...new Set(received.map(({ body }) => String(JSON.parse(body).id))),
];

const kill = async ({ pid, baseUrl }: RealSandbox): Promise<void> => {
  process.kill(pid, 'SIGKILL');
  await expect
    .poll(() =>
      fetch(baseUrl).then(
        () => 'up',
        () => 'gone',
      ),
    )
    .toBe('gone');
};

test('a sandbox killed between changes and deliveries delivers all in order after a restart', async () => {
  const { home, start } = sandboxHome();
  const data = join(home, 'records');
  const [slow, other] = [await receiver({ answer: 'hang' }), await receiver()];
  const before = await start('--data', data);
  await subscribe(before, slow.url);
  await subscribe(before, other.url, 'another');
  const made: string[] = [];
  for (let index = 0; index < 60; index += 1) made.push(await addUser(before, index));
  // One delivery to the slow receiver is in progress, which does not delay other receivers.
  await slow.arrived(1);
  expect(deliveredIds(await other.arrived(60))).toEqual(made);
  await kill(before);
  expect(slow.received.length).toBeLessThan(60);

  slow.answerWith(200);
  const from = slow.received.length;
  const after = await start('--data', data);
  expect(after.pid).not.toBe(before.pid);
  await slow.arrived(from + 60, 15_000);
  expect(deliveredIds(slow.received.slice(from))).toEqual(made);
});

test('kills during changes and deliveries lose no event of an acknowledged change', async () => {
  const { home, start } = sandboxHome();
  const data = join(home, 'records');
  const target = await receiver();
  const answered: string[] = [];
  let next = 0;
  for (let round = 0; round < 3; round += 1) {
    const sandbox = await start('--data', data);
    if (round === 0) await subscribe(sandbox, target.url);
    const until = answered.length + 40;
    const create = async (): Promise<void> => {
      while (answered.length < until) {
        next += 1;
        answered.push(await addUser(sandbox, next));
      }
    };
    const work = Promise.allSettled([create(), create(), create(), create()]);
    await expect.poll(() => answered.length >= until, { interval: 2 }).toBe(true);
    await kill(sandbox);
    await work;
  }
  await start('--data', data);
  const missingIds = (): readonly string[] => {
    const delivered = new Set(deliveredIds(target.received));
    return answered.filter((id) => !delivered.has(id));
  };
  await expect.poll(missingIds).toEqual([]);
});

test('4,000 pending events are delivered after a start, in order and with bounded memory', async () => {
  const { home, start, telctl } = sandboxHome();
  const data = join(home, 'records');
  const target = await receiver({ answer: 204 });
  const first = await start('--data', data);
  const webhookId = await subscribe(first, target.url);
  const residentMb = (pid: number): number =>
    Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024;
  const idleMb = residentMb(first.pid);
  expect((await telctl('sandbox', 'stop')).code).toBe(0);

  const total = 4000;
  const store = openStore(join(data, 'sandbox.db'));
  const payloads = Array.from({ length: total }, (_, index) => ({
    id: String(index),
    text: 'x'.repeat(500),
  }));
  await store.commit(
    payloads.map((payload, index) => ({
      change: 'queue',
      entry: {
        kind: 'delivery',
        webhookId,
        accountId: first.accountId,
        eventId: `event-${index}`,
        hook: 'object',
        dueMs: 0,
        payload,
      },
    })),
  );
  await store.close();

  const { pid } = await start('--data', data);
  let mostMb = 0;
  while (target.received.length < total) {
    mostMb = Math.max(mostMb, residentMb(pid));
    await target.arrived(Math.min(total, target.received.length + 1000), 30_000);
  }
  expect(deliveredIds(target.received)).toEqual(payloads.map(({ id }) => id));
  expect(mostMb).toBeLessThan(idleMb + 120);
});
