import { expect, test } from 'vitest';
import { openWorld, type Run } from '../../support/world.ts';

const limitPosts = (run: Run) =>
  run.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/limits'));
const acceptanceFlags = (run: Run) =>
  limitPosts(run).map(({ body }) => JSON.stringify(body).includes('"accept_charges":true'));

test('charges exit with code 7 and change nothing without a terminal', async () => {
  const world = await openWorld();
  const run = await world.telctl('limits set --inbound-trunks 10');
  expect(run.code).toBe(7);
  expect(run.stdout).toBe('');
  expect(run.stderr).toContain('--accept-charges');
  expect(acceptanceFlags(run)).toEqual([false]);
  const after = JSON.parse((await world.telctl('limits get -o json')).stdout);
  expect(after.inbound_trunks ?? 0).toBe(0);
});

test.each([undefined, 'kazoo'] as const)(
  'scripts find the charges in the error details, like %s',
  async (like) => {
    const world = await openWorld(like && { like });
    const files = { 'm.yaml': 'limits: { inbound_trunks: 10 }\n' };
    for (const line of ['limits set --inbound-trunks 10 -o json', 'apply -f m.yaml --yes -o json']) {
      const run = await world.telctl(line, { files });
      expect(run.code).toBe(7);
      const { error } = JSON.parse(run.stderr);
      expect(error.kind).toBe('charges');
      expect(Object.keys(error.details.limits)).toEqual(['inbound_trunks']);
      expect(error.details.limits.inbound_trunks).toMatchObject({ quantity: 10, rate: 10 });
    }
  },
);

test('--yes does not accept charges', async () => {
  const world = await openWorld();
  const run = await world.telctl('limits set --inbound-trunks 10 --yes');
  expect(run.code).toBe(7);
  expect(acceptanceFlags(run)).toEqual([false]);
});

test('--accept-charges asks for the price first and then accepts it', async () => {
  const world = await openWorld();
  const run = await world.telctl('limits set --inbound-trunks 10 --accept-charges');
  expect(run.code, run.stderr).toBe(0);
  expect(acceptanceFlags(run)).toEqual([false, true, true]);
  expect(JSON.parse((await world.telctl('limits get -o json')).stdout)).toMatchObject({ inbound_trunks: 10 });
});

test('a sufficient budget accepts charges, an insufficient one refuses them', async () => {
  const world = await openWorld();
  const poor = await world.telctl('limits set --inbound-trunks 10 --accept-charges-up-to 1');
  expect(poor.code).toBe(7);
  expect(acceptanceFlags(poor)).toEqual([false]);
  const rich = await world.telctl('limits set --inbound-trunks 10 --accept-charges-up-to 100000');
  expect(rich.code, rich.stderr).toBe(0);
});

test('a budget refuses charges that cannot be added up', async () => {
  const world = await openWorld();
  const run = await world.telctl('limits set --inbound-trunks 10 --accept-charges-up-to 100000', {
    faults: [
      {
        method: 'POST',
        path: /\/limits$/,
        fault: { kind: 'rewrite', change: (body) => body.replace(/"rate":[\d.]+/, '"rate":"call us"') },
      },
    ],
  });
  expect(run.code).toBe(7);
  expect(run.stderr).toContain('unknown');
  expect(acceptanceFlags(run)).toEqual([false]);
});

test('charges are shown at a terminal and accepted by the answer yes', async () => {
  const world = await openWorld();
  const run = await world.telctl('limits set --inbound-trunks 10', {
    tty: true,
    answers: [{ to: /Accept [0-9c]/, type: 'y' }],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('inbound_trunks');
  expect(run.stderr).toMatch(/estimate/i);
  expect(acceptanceFlags(run)).toEqual([false, true, true]);
});

test('pressing Enter at a terminal accepts no charges', async () => {
  const world = await openWorld();
  const run = await world.telctl('limits set --inbound-trunks 10', {
    tty: true,
    answers: [{ to: /Accept [0-9c]/, type: '' }],
  });
  expect(run.code).toBe(7);
  expect(acceptanceFlags(run)).toEqual([false]);
});

test('a free change needs no consent', async () => {
  const world = await openWorld();
  const run = await world.telctl('limits set --allow-prepay false');
  expect(run.code, run.stderr).toBe(0);
  expect(acceptanceFlags(run)).toEqual([false]);
});

test('if the reply to accepted charges is lost, the limits are read and not sent again', async () => {
  const world = await openWorld();
  const run = await world.telctl('limits set --inbound-trunks 10 --accept-charges', {
    faults: [
      { method: 'POST', path: /\/limits$/, times: 2, fault: { kind: 'pass' } },
      { method: 'POST', path: /\/limits$/, times: 1, fault: { kind: 'lose-reply' } },
    ],
  });
  expect(acceptanceFlags(run)).toEqual([false, true, true]);
  expect(run.requests.at(-1)).toMatchObject({ method: 'GET', path: expect.stringMatching(/\/limits$/) });
  expect(run.code, run.stderr).toBe(0);
});
