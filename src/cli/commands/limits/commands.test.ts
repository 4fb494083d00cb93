import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWorld, type Run, type World } from '../../../../test/support/world.ts';

const set = 'limits set --twoway-trunks 10';
const posts = ({ requests }: Run) =>
  requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
const yes = { tty: true, width: 100, answers: [{ to: /Accept [0-9c]/, type: 'y' }] } as const;
const limitsOf = (world: World) => world.service('GET', 'limits');

it('first sends without accepting, shows the charges, and accepts them after a yes', async () => {
  const world = await openWorld();
  const run = await world.telctl(set, yes);
  expect(posts(run)).toEqual([
    { data: expect.not.objectContaining({ accept_charges: true }) },
    { data: expect.objectContaining({ twoway_trunks: 10 }), accept_charges: true },
    { data: expect.objectContaining({ twoway_trunks: 10, accept_charges: true }) },
  ]);
  expect(run.stderr).toMatch(
    /This change adds charges:\n\n│ ITEM .*\n│ twoway_trunks .*250\.00\n.*Estimate +250\.00\n\nAmounts are estimates/,
  );
  expect(run.stderr).toContain(' in acme?');
  expect(run.stderr + run.stdout).toMatch(
    /Limits updated: twoway_trunks none → 10\. Charges accepted, request \S+\./,
  );
});

it('shows added and total quantities, and charges only for added ones', async () => {
  const world = await openWorld();
  await world.service('POST', 'limits', { inbound_trunks: 3, accept_charges: true });
  const asked = await world.telctl('limits set --inbound-trunks 4');
  expect(asked.code).toBe(7);
  expect(asked.stderr).toContain('estimated 10.00 for 1 more inbound_trunks (4 in all)');
  expect(asked.stderr).toMatch(/inbound_trunks +limits +4 +1 +10\.00/);
  const poor = await world.telctl('limits set --inbound-trunks 4 --accept-charges-up-to 9.99');
  expect(poor.code).toBe(7);
  const enough = await world.telctl('limits set --inbound-trunks 4 --accept-charges-up-to 10');
  expect(enough.code, enough.stderr).toBe(0);
  expect(await limitsOf(world)).toMatchObject({ inbound_trunks: 4 });
});

it('does not apply a budget if the previous quantity is unknown', async () => {
  const world = await openWorld();
  const run = await world.telctl([...set.split(' '), '--accept-charges-up-to', '100000'], {
    faults: [
      { method: 'GET', path: /limits$/, times: 1, fault: { kind: 'pass' } },
      { method: 'GET', path: /limits$/, fault: { kind: 'refuse' } },
    ],
  });
  expect(run.code).toBe(7);
  expect(run.stderr).toContain('no budget covers');
});

it('sends acceptance in the place this service is known to use', async () => {
  const world = await openWorld();
  await world.telctl(`${set} --accept-charges`);
  const again = await world.telctl('limits set --twoway-trunks 11 --accept-charges');
  expect(posts(again)).toEqual([
    { data: expect.not.objectContaining({ accept_charges: true }) },
    { data: expect.objectContaining({ accept_charges: true }) },
  ]);
});

it('changes nothing if the answer is no, even with --yes', async () => {
  const world = await openWorld();
  const run = await world.telctl(`${set} --yes`, {
    ...yes,
    answers: [{ to: /Accept [0-9c]/, type: 'n' }],
  });
  expect(run.code).toBe(7);
  expect(posts(run)).toHaveLength(1);
});

it('fails without a terminal, and reports the charges to scripts', async () => {
  const world = await openWorld();
  const run = await world.telctl(`${set} --yes`);
  expect(run.code).toBe(7);
  expect(run.stderr).toContain(
    'Charges must be accepted: estimated 250.00 for 10 twoway_trunks. Nothing changed.',
  );
  expect(run.stderr).toContain('Repeat with --accept-charges, or with --accept-charges-up-to 250.');
  expect(posts(run)).toHaveLength(1);
  expect(run.stderr).toMatch(/ITEM .*CATEGORY .*LINE TOTAL\n.*\n.*Estimate +250\.00/);
});

it('prints only a JSON error on stderr', async () => {
  const world = await openWorld();
  const set = await world.telctl('limits set --twoway-trunks 10 -o json');
  const limits = { twoway_trunks: { quantity: 10, rate: 25 } };
  expect(JSON.parse(set.stderr)).toMatchObject({ error: { kind: 'charges', details: { limits } } });
  const apply = await world.telctl('apply -f limits.yaml --yes -o ndjson', {
    files: { 'limits.yaml': 'limits: { twoway_trunks: 10 }\n' },
  });
  expect([set.code, apply.code]).toEqual([7, 7]);
  const said = apply.stderr.trimEnd().split('\n').at(-1) ?? '';
  expect(JSON.parse(said)).toMatchObject({ error: { kind: 'charges', details: { limits } } });
});

it('accepts charges within a budget and refuses higher ones', async () => {
  const world = await openWorld();
  const refused = await world.telctl(`${set} --accept-charges-up-to 249.99`);
  expect(refused.code).toBe(7);
  expect(refused.stderr).toContain('more than 249.99');
  expect((await world.telctl(`${set} --accept-charges-up-to 250`)).code).toBe(0);
});

it('shows a surcharge next to the items, and does not apply a budget to it', async () => {
  const world = await openWorld();
  const surcharge = (body: string) => body.replace('"limits":', '"surcharge":5,"limits":');
  const faults = [{ method: 'POST', fault: { kind: 'rewrite', change: surcharge } }] as const;
  const run = await world.telctl(`${set} --accept-charges-up-to 100000`, { faults });
  expect(run.code).toBe(7);
  expect(run.stderr).toContain('Other charges: surcharge=5');
  const json = await world.telctl(`${set} -o json`, { faults });
  expect(JSON.parse(json.stderr).error.details).toMatchObject({ surcharge: 5 });
  expect(await limitsOf(world)).not.toHaveProperty('twoway_trunks');
});

it('does not apply a budget to an unknown charge', async () => {
  const world = await openWorld();
  const strange = (body: string) => body.replace('"rate":25', '"rate":25,"setup_fee":1');
  const rule = { method: 'POST', fault: { kind: 'rewrite', change: strange } } as const;
  const run = await world.telctl(`${set} --accept-charges-up-to 100000`, { faults: [rule] });
  expect(run.stderr).toMatch(/estimated unknown .*telctl does not understand every item/);
  expect(posts(run)).toHaveLength(1);
  const everything = await world.telctl(`${set} --accept-charges`, { faults: [rule] });
  expect(everything.code, everything.stderr).toBe(0);
});

it('does not accept charges that differ from the ones shown', async () => {
  const world = await openWorld();
  const dearer = (body: string) => body.replace('"rate":25', '"rate":2500');
  const run = await world.telctl(`${set} --accept-charges-up-to 250`, {
    faults: [
      { method: 'POST', times: 1, fault: { kind: 'pass' } },
      { method: 'POST', fault: { kind: 'rewrite', change: dearer } },
    ],
  });
  expect(run.code).toBe(7);
  expect(run.stderr).toContain('The charges changed while they were being accepted.');
  expect(await limitsOf(world)).not.toHaveProperty('twoway_trunks');
});

const lostAfter = (passed: number, kind: 'lose-reply' | 'refuse') => ({
  faults: [
    { method: 'POST', fault: { kind: 'pass' }, times: passed },
    { method: 'POST', fault: { kind } },
  ] as const,
});

it('reads the limits back after a lost response and sends no second change', async () => {
  const world = await openWorld();
  const run = await world.telctl(`${set} --accept-charges -o json`, lostAfter(2, 'lose-reply'));
  expect(posts(run)).toHaveLength(3);
  expect(run.requests.at(-1)?.method).toBe('GET');
  expect(JSON.parse(run.stdout)).toMatchObject({ twoway_trunks: 10 });
});

it('reports that a lost request changed nothing', async () => {
  const world = await openWorld();
  const run = await world.telctl(`${set} --accept-charges`, lostAfter(2, 'refuse'));
  expect(run.code).toBe(75);
  expect(run.stderr).toMatch(/were read back and have not changed/);
  expect(posts(run)).toHaveLength(3);
});

it('reports changed limits only if every sent value was stored', async () => {
  const world = await openWorld();
  await world.service('POST', 'limits', { calls: 7 });
  const run = await world.telctl('limits set --calls 8 --burst-trunks 1', {
    faults: [
      { method: 'POST', fault: { kind: 'lose-reply' } },
      { method: 'GET', path: /limits$/, times: 1, fault: { kind: 'pass' } },
      {
        method: 'GET',
        path: /limits$/,
        fault: { kind: 'rewrite', change: (body) => body.replace('"burst_trunks":1', '"burst_trunks":0') },
      },
    ],
  });
  expect(run.code).toBe(75);
  expect(run.stderr).toContain('were read back and differ from the sent values');
});

it('reports an unknown result if the limits cannot be read back', async () => {
  const world = await openWorld();
  const run = await world.telctl('limits set --calls 8', {
    faults: [
      { method: 'POST', fault: { kind: 'lose-reply' } },
      { method: 'GET', path: /limits$/, times: 1, fault: { kind: 'pass' } },
      { method: 'GET', path: /limits$/, fault: { kind: 'refuse' } },
    ],
  });
  expect(run.code).toBe(75);
  expect(run.stderr).toContain('Reading the limits back also failed');
  expect(run.stderr).toContain('The request may have been carried out');
});

it('caches where a service accepts charges for sign-ins by environment', async () => {
  const world = await openWorld({ signIn: 'none', like: 'specification' });
  const env = { TELCTL_BASE_URL: world.url, TELCTL_API_KEY: world.seed.apiKey };
  const posts = async (line: string): Promise<number> => {
    const run = await world.telctl(line, { env });
    expect(run.code, run.stderr).toBe(0);
    return run.requests.filter(({ method }) => method === 'POST').length;
  };
  expect(await posts('limits set --inbound-trunks 2 --accept-charges')).toBe(3);
  expect(await posts('limits set --inbound-trunks 3 --accept-charges')).toBe(2);
  const facts = join(world.folders.home, '.cache/telctl/facts');
  const [file = ''] = readdirSync(facts);
  expect(JSON.parse(readFileSync(join(facts, file), 'utf8'))).toEqual({ acceptsCharges: 'in-data' });
  writeFileSync(join(facts, file), '{');
  expect(await posts('limits set --inbound-trunks 4 --accept-charges')).toBe(3);
});

it('reports charges as not accepted if the accepting request was never sent', async () => {
  const world = await openWorld();
  const accepting = { method: 'POST', fault: { kind: 'refuse' } } as const;
  const run = await world.telctl('limits set --inbound-trunks 2 --accept-charges', {
    faults: [{ method: 'POST', times: 1, fault: { kind: 'pass' } }, accepting],
  });
  expect([run.code, run.requests.filter(({ method }) => method === 'POST').length]).toEqual([75, 2]);
  expect(run.stderr).toContain('does not answer (connection refused)');
  expect(run.stderr).not.toMatch(/may have been carried out|Its charges were accepted/);
});

it('fails if the service returns an array instead of the limits', async () => {
  const world = await openWorld();
  const list = (body: string) => body.replace(/"data":\{.*?\}/, '"data":[1]');
  const read = { method: 'GET', path: /limits$/, fault: { kind: 'rewrite', change: list } } as const;
  const got = await world.telctl('limits get', { faults: [read] });
  expect(got.code).toBe(1);
  const files = { 'm.yaml': 'limits: { calls: 4 }\n' };
  const applied = await world.telctl('apply -f m.yaml --yes', { files, faults: [read] });
  expect(applied.code, applied.stdout + applied.stderr).toBe(1);
  const written = await world.telctl('limits set --calls 4', {
    faults: [{ method: 'POST', fault: { kind: 'rewrite', change: list } }],
  });
  expect(written.code, written.stderr).toBe(0);
  expect(written.requests.at(-1)?.method).toBe('GET');
});

it('reports unchanged limits and a possibly pending change after a lost response', async () => {
  const world = await openWorld();
  const run = await world.telctl(`${set} --accept-charges`, lostAfter(0, 'lose-reply'));
  expect(run.stderr).toMatch(/were read back and have not changed/);
  expect(run.stderr).toContain(
    'The change may still be in progress. Before you repeat it: telctl limits get.',
  );
  expect(posts(run)).toHaveLength(1);
});

it('keeps other limits, and sends no write without a change', async () => {
  const world = await openWorld();
  await world.telctl('limits set --calls 5');
  await world.telctl('limits set --burst-trunks 1');
  expect(JSON.parse((await world.telctl('limits get -o json')).stdout)).toMatchObject({
    calls: 5,
    burst_trunks: 1,
  });
  expect(posts(await world.telctl('limits set --calls 5'))).toEqual([]);
});

it('shows the change in a dry run and warns about possible charges', async () => {
  const world = await openWorld();
  const run = await world.telctl(`${set} --dry-run`);
  expect(posts(run)).toEqual([]);
  expect(run.stdout).toMatch(/twoway_trunks: .*10\n {2}may add charges/);
});
