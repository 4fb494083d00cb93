import { expect, test } from 'vitest';
import { openWorld, type World } from '../../../../test/support/world.ts';

const [first, second, third] = ['+14155550101', '+14155550102', '+14155550103'] as const;
const titles =
  'number,e911.street_address,e911.locality,e911.region,e911.postal_code,e911.caller_name,cnam.display_name';
const rows = [
  `${first},1 Main Street,San Francisco,CA,94107,Acme Dental,ACME DENTAL`,
  `${second},2 Main Street,San Francisco,CA,94107,Acme Dental,ACME DENTAL`,
];
const csv = (...lines: readonly string[]): string => `${[titles, ...lines].join('\n')}\n`;
const writes = ({ requests }: { readonly requests: readonly { readonly method: string }[] }) =>
  requests.filter(({ method }) => method !== 'GET');

async function withNumbers(): Promise<World> {
  const world = await openWorld();
  const made = await world.telctl(`numbers create ${first} ${second} ${third} --yes`);
  expect(made.code, made.stderr).toBe(0);
  return world;
}

const patch = 'numbers patch -f numbers.csv --yes';

test('reads emergency addresses and caller names from a file with one number per row', async () => {
  const world = await withNumbers();
  const files = { 'numbers.csv': csv(...rows) };
  const done = await world.telctl(patch, { files });
  expect(done.code, done.stderr).toBe(0);
  expect(done.stderr).toContain('Changed 2 numbers.');
  const one = JSON.parse((await world.telctl(`numbers get ${second} -o json`)).stdout);
  expect(one).toMatchObject({
    e911: { street_address: '2 Main Street', locality: 'San Francisco', region: 'CA' },
    cnam: { display_name: 'ACME DENTAL' },
  });
  const left = await world.telctl('numbers list --filter e911= -o name');
  expect(left.stdout.split('\n')).toContain(third);
  expect(left.stdout).not.toContain(first);
  const again = await world.telctl(patch);
  expect(again).toMatchObject({ code: 0, stderr: 'Nothing to change in 2 numbers.\n' });
  expect(writes(again)).toEqual([]);
});

test('matches numbers by the e164 column of exported number tasks', async () => {
  const world = await withNumbers();
  const files = { 'numbers.csv': `e164,cnam.display_name\n${first},ACME\n` };
  const done = await world.telctl(patch, { files });
  expect(done.code, done.stderr).toBe(0);
  expect(writes(done)).toHaveLength(1);
});

test.each([
  [
    'a duplicate number',
    [...rows, rows[0] ?? ''],
    `numbers.csv:4 (number): number ${first} is in the input twice`,
  ],
  [
    'a row without a number',
    [...rows, ',3 Main Street,,,,,'],
    'numbers.csv:4: "id" of the number to change is missing',
  ],
  [
    'an unknown number',
    [...rows, '+14155550199,,,,,,ACME'],
    'numbers.csv:4 (number): there is no number +14155550199',
  ],
])('reports %s with its line, and sends no writes', async (_, lines, sentence) => {
  const world = await withNumbers();
  const run = await world.telctl(patch, { files: { 'numbers.csv': csv(...lines) } });
  expect(run.stderr).toContain(sentence);
  expect(run.code).toBe(10);
  expect(writes(run)).toEqual([]);
});

test('reports a rejected row, and changes the others', async () => {
  const world = await withNumbers();
  const wrong = `${third},3 Main Street,San Francisco,California,94107,Acme Dental,ACME`;
  const run = await world.telctl(patch, { files: { 'numbers.csv': csv(...rows, wrong) } });
  expect(run.code, run.stderr).toBe(8);
  expect(run.stderr).toContain('numbers.csv:4 (e911.region): "e911.region" must have at most 2 characters');
  expect(run.stderr).toContain(`failed  number ${third} (numbers.csv:4): `);
  expect(run.stderr).toContain('Changed 2 numbers, 1 failed.');
  const strict = await world.telctl(`${patch} --strict-input`);
  expect(strict.code).toBe(10);
  expect(writes(strict)).toEqual([]);
});

test('shows the change of each record of a file, and rejects a file without ids', async () => {
  const world = await openWorld();
  const ids = [];
  for (const username of ['ann', 'bea'])
    ids.push((await world.addUser({ username, first_name: 'A', last_name: 'B' })).id);
  const records = ids.map((id, index) => `- { id: ${id}, presence_id: "200${index}" }\n`).join('');
  const dry = await world.telctl('users patch -f users.yaml --dry-run -o json', {
    files: { 'users.yaml': records, 'change.yaml': 'presence_id: "2009"\n' },
  });
  expect(dry.code, dry.stderr).toBe(0);
  expect(JSON.parse(dry.stdout).requests).toHaveLength(2);
  const asked = await world.telctl('users patch -f users.yaml', {
    tty: true,
    answers: [{ to: 'Change 2 of 2 users in acme?', type: 'y' }],
  });
  expect(asked.stderr).toContain('user bea: presence_id');
  expect(asked.stderr).toContain('Changed 2 users.');
  const unnamed = await world.telctl('users patch -f change.yaml --yes');
  expect(unnamed.code).toBe(2);
  expect(unnamed.stderr).toContain('Pass ID or --all, or include an id in each record of the file.');
  expect(writes(unnamed)).toEqual([]);
});

test('keeps the last administrator, whatever the file contains', async () => {
  const world = await openWorld();
  const admin = JSON.parse((await world.telctl('users list -o json')).stdout)[0].id;
  const run = await world.telctl('users patch -f users.yaml --yes', {
    files: { 'users.yaml': `- { id: ${admin}, priv_level: user }\n` },
  });
  expect(run.code, run.stderr).toBe(9);
  expect(writes(run)).toEqual([]);
});
