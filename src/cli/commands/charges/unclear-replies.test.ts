import { describe, expect, test } from 'vitest';
import type { Fault, FaultRule } from '../../../../test/support/faults.ts';
import type { SentRequest } from '../../../../test/support/inject-transport.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

const isAccepting = ({ body }: SentRequest): boolean =>
  JSON.stringify(body ?? {}).includes('"accept_charges":true');

/** The service does what was asked and answers with an error, or not at all. */
const answering = (code: number): Fault => ({
  kind: 'rewrite',
  change: () => JSON.stringify({ status: 'error', error: String(code), message: 'unclear', data: {} }),
});
const unclear: readonly (readonly [string, Fault])[] = [
  ...[401, 429, 500, 503].map((code) => [`HTTP ${code}`, answering(code)] as const),
  ['a lost response', { kind: 'lose-reply' }],
  ['a truncated response', { kind: 'truncate', afterBytes: 40 }],
  ['an HTML page', { kind: 'rewrite', change: () => '<html>Welcome</html>' }],
];

/** A world whose account has prices for what the commands add. */
async function pricedWorld(): Promise<World> {
  const world = await openWorld({ like: 'kazoo' });
  await world.service('POST', 'services/overrides', {
    users: { user: { rate: 5 }, admin: { rate: 9 } },
    devices: { sip_device: { rate: 2 }, softphone: { rate: 3 } },
    limits: { inbound_trunks: { rate: 10 } },
  });
  return world;
}

const person = '{"username":"alice","first_name":"A","last_name":"X","password":"secret-1"}';
const files = {
  'u.json': `[${person},${person.replaceAll('alice', 'bob')}]`,
  'm.yaml': `users: { alice: ${person} }\n`,
};

/** Commands that add charges, the method that does, and the kind of record that shows that it was done. */
const jobs = [
  ['limits set --inbound-trunks 3', 'POST', 'limits'],
  ['users create -f u.json', 'PUT', 'users'],
  ['apply -f m.yaml --yes', 'PUT', 'users'],
  ['devices create --name Desk --set device_type=sip_device', 'PUT', 'devices'],
  ['users patch ann --priv-level admin', 'PATCH', 'users'],
] as const;

describe.each(jobs)('%s', (line, method, kind) => {
  test.each(unclear)('reads the state back and accepts charges only once after %s', async (_, fault) => {
    const world = await pricedWorld();
    const token = { username: 'ann', first_name: 'Ann', last_name: 'X', priv_level: 'user' };
    await world.service('PUT', 'users', { ...token, password: 'secret-1', accept_charges: true });
    const place = { method, path: /\/(?:limits|users|devices)(?:\/[0-9a-f]{32})?$/ } as const;
    const faults: readonly FaultRule[] = [
      { ...place, unless: 'accept_charges', fault: { kind: 'pass' } },
      { ...place, fault, times: 1 },
    ];
    const run = await world.telctl(`${line} --accept-charges`, { files, faults });
    const accepting = run.requests.filter(isAccepting);
    expect(accepting.length, run.stderr).toBe(line.includes('u.json') ? 2 : 1);
    expect(new Set(accepting.map(({ body }) => JSON.stringify(body))).size).toBe(accepting.length);
    const last = run.requests.findLastIndex(isAccepting);
    expect(run.requests.slice(last + 1).some((each) => each.method === 'GET')).toBe(true);
    // A device of that name may be from before: names of devices are not unique. So the create stays in doubt.
    expect(run.code, run.stderr).toBe(kind === 'devices' ? 75 : 0);
    if (kind === 'devices') {
      expect(run.stderr).toMatch(/One device with all that was sent exists \([0-9a-f]{32}\)\./);
      expect(run.stderr).toContain(
        'It may be from before, because names of devices are not unique. Check before you repeat the command',
      );
    }
    expect(JSON.stringify(await world.sandbox.store.allOfKind(kind))).toMatch(
      /"inbound_trunks":3|alice|Desk|admin/,
    );
  });
});

/** Changes without charges that are not records of their own, with the method and path of the request. */
const actions = [
  ['services assign plan-a', 'POST', /services\/[^/]+$/],
  ['services update --set-json add=["plan-a"]', 'POST', /services$/],
  ['services override -f over.json', 'POST', /services\/overrides$/],
  ['numbers create +14155550100', 'PUT', /phone_numbers\//],
  ['numbers activate +14155550199', 'PUT', /activate$/],
  ['ports submit Main', 'PATCH', /submitted$/],
  ['ports documents add Main bill.pdf', 'PUT', /attachments$/],
] as const;

test.each(actions)(
  '%s reads the state back after a lost response instead of resending',
  async (line, method, path) => {
    const world = await openWorld({ like: 'kazoo' });
    // Only the reseller changes service plans.
    const reseller = {
      ...{ TELCTL_BASE_URL: world.url, TELCTL_USERNAME: 'super', TELCTL_ACCOUNT_NAME: 'platform' },
      ...{ TELCTL_PASSWORD: world.seed.superPassword, TELCTL_ACCOUNT: world.seed.accountId },
    };
    const env = line.startsWith('services') ? reseller : {};
    await world.service('PUT', 'phone_numbers/+14155550199', {});
    await world.service('PUT', 'port_requests', { name: 'Main', numbers: { '+14155550110': {} } });
    const given = { 'over.json': '{"users":{"user":{"rate":5}}}', 'bill.pdf': '%PDF-1.4' };
    let met = 0;
    const fault = { kind: 'lose-reply' } as const;
    const faults: readonly FaultRule[] = [{ method, path, fault, times: 1, met: () => (met += 1) }];
    const run = await world.telctl(line, { files: given, faults, env });
    expect(met, run.stderr).toBe(1);
    const sent = run.requests.findLastIndex((each) => each.method === method && path.test(each.path));
    expect(
      run.requests.slice(sent + 1).some((each) => each.method === 'GET'),
      run.stderr,
    ).toBe(true);
    expect(
      run.requests.filter((each) => each.method === method && path.test(each.path)),
      run.stderr,
    ).toHaveLength(1);
    expect(run.code, run.stderr).toBe(0);
  },
);

test('recognizes charges in an HTTP 400 response and charges without items', async () => {
  const world = await openWorld({ like: 'kazoo' });
  const bare = {
    status: 400,
    kind: 'answer',
    body: '{"status":"error","error":"402","message":"accept charges"}',
  };
  const faults = [{ method: 'POST', path: /limits$/, times: 1, fault: bare as Fault }];
  const line = 'limits set --inbound-trunks 2';
  const unasked = await world.telctl(line, { faults });
  expect([unasked.code, unasked.requests.filter(isAccepting)]).toEqual([7, []]);
  const budget = await world.telctl(`${line} --accept-charges-up-to 1000`, { faults });
  expect([budget.code, budget.requests.filter(isAccepting)]).toEqual([7, []]);
  expect(budget.stderr).toContain('no budget covers');
  const accepted = await world.telctl(`${line} --accept-charges`, { faults });
  expect(accepted.code, accepted.stderr).toBe(0);
  expect(accepted.stderr).toContain('lists no items, so the amount is unknown');
  expect(accepted.requests.filter(isAccepting)).toHaveLength(1);
});

test.each([
  ['404', 5],
  ['403', 4],
  ['409', 6],
  ['503', 75],
  ['teapot', 10],
])('reports an error body (%s) with HTTP 200 as that error, with its message', async (error, code) => {
  const world = await openWorld();
  const body = JSON.stringify({
    status: 'error',
    error,
    message: 'bad_moon',
    data: { message: 'Bad moon.' },
  });
  const fault = { kind: 'answer', status: 200, body } as const;
  const run = await world.telctl('menus list -o json --retries 0', { faults: [{ path: /menus$/, fault }] });
  expect(run.code, run.stderr).toBe(code);
  expect(run.stderr).toContain('Bad moon.');
  expect(run.stderr).toContain('"code":"bad_moon"');
});
