import { expect, test } from 'vitest';
import { receiver } from '../../../../../test/support/receiver.ts';
import { serveSandbox } from '../../../../../test/support/served-sandbox.ts';

/** A sandbox with a user who is called, and whose callers leave messages where she does not answer. */
async function busyOffice() {
  const served = await serveSandbox('--memory');
  const made = async (line: string, record: object): Promise<string> => {
    const run = await served.telctl(`${line} -f - -o json`, { stdin: JSON.stringify(record) });
    expect(run.code, run.stderr).toBe(0);
    return JSON.parse(run.stdout).id;
  };
  const id = await made('users create', {
    ...{ username: 'alice', first_name: 'Alice', last_name: 'Archer' },
    ...{ password: 'first-sign-in', presence_id: '2001' },
  });
  const box = await made('vmboxes create', { name: 'Alice', mailbox: '2001' });
  const voicemail = { module: 'voicemail', data: { id: box, action: 'compose' }, children: {} };
  const flow = { module: 'user', data: { id }, children: { _: voicemail } };
  await made('callflows create', { name: 'Alice', numbers: ['2001', '+15551230000'], flow });
  return { ...served, made };
}

test('every event of a busy account is delivered', async () => {
  const { telctl, made } = await busyOffice();
  const { url, received, arrived } = await receiver();
  const callHooks = ['channel_create', 'channel_answer', 'channel_bridge', 'channel_destroy', 'fax'];
  for (const hook of [...callHooks, 'notifications'])
    await made('webhooks create', {
      ...{ name: hook, uri: `${url}/${hook}`, hook, format: 'json' },
      ...(hook === 'notifications' ? { custom_data: { type: 'all' } } : {}),
    });
  const run = await telctl('sandbox traffic --calls-per-minute 60 --for 2m --seed 3 -o json');
  expect(run.code, run.stderr).toBe(0);
  const { calls, events } = JSON.parse(run.stdout);
  expect(calls).toBe(120);
  expect(Object.keys(events).toSorted()).toEqual([...callHooks, 'notifications'].toSorted());
  await arrived(
    Object.values<number>(events).reduce((sum, count) => sum + count, 0),
    30_000,
  );
  const delivered = Object.groupBy(received, ({ url: path }) => path.slice(1));
  expect(Object.fromEntries(Object.entries(delivered).map(([hook, all]) => [hook, all?.length]))).toEqual(
    events,
  );
});

test('traffic with the same seed makes the same calls, and leaves call records', async () => {
  const { telctl } = await busyOffice();
  const line = 'sandbox traffic --calls-per-minute 120 --for 20s --seed 7 -o json';
  const dry = await telctl(`${line} --dry-run`);
  expect([dry.code, dry.stderr]).toEqual([0, expect.stringContaining('120 calls a minute for 20 seconds')]);
  const first = JSON.parse((await telctl(line)).stdout);
  expect(first).toMatchObject({ calls: 40, seconds: 20, account_name: 'acme' });
  expect(first.answered + first.messages + first.reached_service + first.missed + first.faxes).toBe(40);
  expect(Math.min(first.answered, first.messages)).toBeGreaterThan(5);
  const live = JSON.parse((await telctl('channels list -o json')).stdout);
  expect(live.length).toBeGreaterThan(0);
  await telctl('sandbox clock advance 1h');
  const calls = JSON.parse((await telctl('cdrs list --calls --since 2h -o json')).stdout);
  expect(calls).toHaveLength(40 - first.faxes);
  const again = JSON.parse((await telctl(line)).stdout);
  expect([again.answered, again.messages, again.faxes]).toEqual([
    first.answered,
    first.messages,
    first.faxes,
  ]);
  const real = await telctl('sandbox traffic --calls-per-minute 600 --for 1s --real-time');
  expect([real.code, real.stderr]).toEqual([0, expect.stringMatching(/^10 calls in acme: /)]);
  expect((await telctl('sandbox traffic')).code).toBe(2);
});

test.each([3, 8, 21])(
  'traffic, reports, summaries and the page agree on the outcomes of calls (seed %i)',
  async (seed) => {
    const { telctl, made, json, state } = await busyOffice();
    const bob = await made('users create', {
      ...{ username: 'bob', first_name: 'Bob', last_name: 'Baker' },
      ...{ password: 'first-sign-in', presence_id: '2002' },
    });
    const step = (module: string, data: object) => ({ module, data, children: {} });
    const { id: alice } = await json('users get alice -o json');
    const conference = await made('conferences create', { name: 'Standup' });
    const queue = await made('queues create', { name: 'Support' });
    const menu = await made('menus create', { name: 'Main', retries: 1, timeout: 1000 });
    const endpoints = [bob, alice].map((id) => ({ id, endpoint_type: 'user' }));
    for (const [number, flow] of [
      ['2002', step('user', { id: bob, timeout: 10 })],
      ['2003', step('menu', { id: menu })],
      ['2004', step('conference', { id: conference })],
      ['2005', step('ring_group', { endpoints, timeout: 15 })],
      ['2006', step('acdc_member', { id: queue })],
      ['2007', step('hangup', {})],
    ] as const)
      await made('callflows create', { name: number, numbers: [number], flow });
    const outcomes = ['answered', 'messages', 'reached_service', 'missed'] as const;
    const traffic = await json(`sandbox traffic --calls-per-minute 100 --for 1m --seed ${seed} -o json`);
    await telctl('sandbox clock advance 30m');
    const sums = async (line: string) => {
      const rows: Record<string, number>[] = JSON.parse((await telctl(line)).stdout);
      return outcomes.map((key) => rows.reduce((sum, row) => sum + Number(row[key]), 0));
    };
    const simulated = outcomes.map((key) => Number(traffic[key]));
    expect(simulated.reduce((sum, each) => sum + each, 0)).toBe(100 - Number(traffic.faxes ?? 0));
    expect(await sums('cdrs report -o json')).toEqual(simulated);
    expect(await sums('cdrs summary --direction inbound -o json')).toEqual(simulated);
    const page = await (await fetch(state().baseUrl.replace(/\/v2.*/, '/'))).text();
    const words = ['answered', 'left a message', 'reached voicemail or another service', 'missed'];
    const ended = words.flatMap((word, index) => (simulated[index] ? `${simulated[index]} ${word}` : []));
    expect(ended.length).toBeGreaterThan(1);
    expect(page).toContain(`Calls in the last hour: ${ended.join(', ')}.`);
  },
);
