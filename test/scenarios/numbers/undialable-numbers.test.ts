import { describe, expect, it } from 'vitest';
import { openWorld, type World } from '../../support/world.ts';

/** Notations of a number, and how calls to it are matched. */
const forms = [
  ['+1 212 555 0102', '+12125550102'],
  ['(212) 555-0177', '+12125550177'],
  ['1.212.555.0178', '+12125550178'],
  ['+44 (20) 7946/0000', '+442079460000'],
  ['20 4', '204'],
] as const;

const flow = { module: 'response', data: { code: 486 } };
const record = (numbers: readonly string[]) => JSON.stringify({ name: 'Line', numbers, flow });

/** Ways to add a number to a callflow. Each starts without the callflow Line. */
const ways: Readonly<Record<string, (world: World, number: string) => Promise<string>>> = {
  'create -f': async (world, number) =>
    (await world.telctl('callflows create -f -', { stdin: record([number]) })).stderr,
  'create --set-json': async (world, number) =>
    (
      await world.telctl([
        ...['callflows', 'create', '--name', 'Line', '--set-json', `flow=${JSON.stringify(flow)}`],
        ...['--set-json', `numbers=${JSON.stringify([number])}`],
      ])
    ).stderr,
  'patch --set-json': async (world, number) => {
    await world.service('PUT', 'callflows', { name: 'Line', numbers: ['900'], flow });
    return (
      await world.telctl(['callflows', 'patch', 'Line', '--set-json', `numbers=${JSON.stringify([number])}`])
    ).stderr;
  },
  'update -f': async (world, number) => {
    await world.service('PUT', 'callflows', { name: 'Line', numbers: ['900'], flow });
    return (await world.telctl('callflows update Line -f -', { stdin: record([number]) })).stderr;
  },
  apply: async (world, number) => {
    const files = { 'flows.json': JSON.stringify({ callflows: { line: JSON.parse(record([number])) } }) };
    const run = await world.telctl('apply --yes -f flows.json', { files });
    expect((await world.telctl('plan --exit-code -f flows.json')).code).toBe(0);
    return run.stderr;
  },
};

describe.each([undefined, 'kazoo'] as const)('numbers at a service like %s', (like) => {
  it.each(Object.keys(ways))('arrive through %s in a dialable form', async (way) => {
    for (const [typed, called] of forms) {
      const world = await openWorld({ like });
      const said = await ways[way]?.(world, typed);
      const { stdout } = await world.telctl('callflows get Line -o json');
      expect(JSON.parse(stdout).numbers, said).toEqual([called]);
      const traced = await world.telctl(['callflows', 'trace', typed]);
      expect(traced.stdout, traced.stderr).toContain(`${called} → Line`);
    }
  });

  it('are encoded without spaces and punctuation in paths', async () => {
    const world = await openWorld({ like });
    const { requests } = await world.telctl(['numbers', 'get', '+1 (212) 555-0100', '--retries', '0']);
    expect(requests.at(-1)?.path).toMatch(/phone_numbers\/%2B12125550100$/);
  });
});

it('stored numbers that cannot be dialed are reported, and apply corrects them', async () => {
  const world = await openWorld({ like: 'kazoo' });
  const kept = await world.service('PUT', 'callflows', { name: 'Line', numbers: ['(212) 555-0177'], flow });
  expect(kept.numbers).toEqual(['(212) 555-0177']);
  const traced = await world.telctl('callflows trace +12125550177');
  expect(traced.code).toBe(5);
  expect(traced.stderr).toContain('No call matches the number "(212) 555-0177" of Line');
  const linted = await world.telctl('callflows lint');
  expect(linted.stdout + linted.stderr).toContain('no call matches it. Write +12125550177');
  const files = { 'flows.json': JSON.stringify({ callflows: { Line: { numbers: ['(212) 555-0177'] } } }) };
  expect((await world.telctl('plan --exit-code -f flows.json', { files })).code).toBe(3);
  expect((await world.telctl('apply --yes -f flows.json')).code).toBe(0);
  expect((await world.telctl('callflows trace +12125550177')).code).toBe(0);
});

it.each([
  [
    'users import people.csv',
    'people.csv',
    'username,first_name,last_name,call_forward.number\nzoe,Z,A,3.12556E+11\nxia,X,C,=15551230011\n',
    ['people.csv:2', 'people.csv:3'],
  ],
  ['vmboxes create -f boxes.csv', 'boxes.csv', 'mailbox,name\n1.00E+03,vb\n', ['boxes.csv:2']],
  ['validate -f m.yaml', 'm.yaml', 'vmboxes: { b: { name: B, mailbox: "10 01" } }\n', ['m.yaml:1']],
  ['validate -f n.yaml', 'n.yaml', 'callflows: { x: { name: X, numbers: [4.14423E+10] } }\n', ['n.yaml:1']],
])('%s refuses undialable numbers and names their places', async (line, file, content, places) => {
  const world = await openWorld();
  const { code, stderr, requests } = await world.telctl(line, { files: { [file]: content } });
  expect([code, requests.filter(({ method }) => method !== 'GET')], stderr).toEqual([10, []]);
  for (const place of places) expect(stderr).toMatch(new RegExp(`${place}.*cannot be dialed`));
});

it('a formatted forward number in a manifest is sent in E.164', async () => {
  const world = await openWorld();
  const forward = { enabled: true, number: '+1 (312) 555-0177' };
  const files = { 'm.json': JSON.stringify({ devices: { desk: { name: 'desk', call_forward: forward } } }) };
  const applied = await world.telctl('apply --yes -f m.json', { files });
  const { stdout } = await world.telctl('devices get desk -o json');
  expect(JSON.parse(stdout).call_forward.number, applied.stderr).toBe('+13125550177');
});
