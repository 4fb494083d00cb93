// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of manifests
import { expect, test } from 'vitest';
import { openWorld, type Run } from '../../support/world.ts';

/** Ways in which telctl gets the country: the Australian caller ID of the account, options or settings. */
const ways: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  ['an option', ' --country AU', {}],
  ['.telctl.yaml', '', { '.telctl.yaml': 'country: au\n' }],
  ["the account's own number", '', {}],
];

const sentNumbers = ({ requests }: Run): readonly unknown[] =>
  requests.flatMap(({ method, body }) => (method === 'GET' ? [] : [JSON.stringify(body)]));

/** Commands that accept a national number, with their files. All of them send `+61491570006`. */
const commands: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['callflows create --name X --numbers 0491570006 --answers user:admin', {}],
  ['users patch admin --set call_forward.number=0491570006 --set-json call_forward.enabled=true', {}],
  ['devices create -f new.csv', { 'new.csv': 'name,call_forward.number\nzoe,0491 570 006\n' }],
  [
    'users import new.csv --generate-passwords --passwords-out p.csv --yes',
    { 'new.csv': 'username,first_name,last_name,call_forward.number\nzoe,Z,A,(0491) 570 006\n' },
  ],
  [
    'users onboard --first-name Cal --last-name Conn --extension 2050 --number 0491570006 --generate --yes',
    {},
  ],
  ['blacklists create --name Spam --set-json numbers={"0491570006":{}}', {}],
  [
    'apply -f m.yaml --yes',
    {
      'm.yaml':
        'callflows: { x: { name: X, numbers: ["0491570006"], flow: { module: user, data: { id: "${account.users.admin}" } } } }\n',
    },
  ],
];

test.each(ways.flatMap((way) => commands.map((command) => [way, command] as const)))(
  'a national number is parsed for the country of %j in %j',
  async ([name, option, more], [line, files]) => {
    const world = await openWorld();
    if (name.includes('own number'))
      await world.telctl('accounts patch --set caller_id.external.number=+61291234567');
    const run = await world.telctl(`${line}${option}`, { files: { ...files, ...more } });
    expect(run.code, run.stderr).toBe(0);
    expect(sentNumbers(run).join('\n')).toContain('+61491570006');
    expect(run.stderr).not.toContain('kept as typed');
  },
);

test.each(commands)(
  '%s keeps the number without a country, and warns with --country',
  async (line, files) => {
    const world = await openWorld();
    const run = await world.telctl(line, { files });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr.match(/kept as typed.*--country CC/g)).toHaveLength(1);
    expect(sentNumbers(run).join('\n')).toMatch(/0491570006/);
  },
);

test('ten digits are North American unless another country is set', async () => {
  const world = await openWorld();
  const createCallflow = (country: string) =>
    world.telctl(`callflows create --name X --numbers 3012345678 --answers user:admin --dry-run ${country}`);
  expect((await createCallflow('')).stdout).toMatch(/"?3012345678/);
  expect((await createCallflow('--country DE')).stdout).toContain('+493012345678');
  const unknown = await createCallflow('--country XX');
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('--country must be a country in two letters'),
  ]);
});

test('emergency numbers are protected in accounts of their country only', async () => {
  const world = await openWorld();
  const create = 'callflows create --name X --numbers 110 --answers user:admin';
  const manifest = (country: string) =>
    `${country}callflows: { y: { name: Y, numbers: ["110"], flow: { module: user, data: { id: "\${account.users.admin}" } } } }\n`;
  const german = await world.telctl(`${create} --country DE`);
  expect([german.code, german.stderr]).toEqual([9, expect.stringContaining('(110)')]);
  for (const line of ['validate', 'plan', 'apply --yes']) {
    const run = await world.telctl(`${line} -f m.yaml`, { files: { 'm.yaml': manifest('country: DE\n') } });
    expect([line, run.code, run.stderr]).toEqual([line, 10, expect.stringContaining('emergency-shadowed')]);
  }
  const american = await world.telctl(create);
  expect(american.code, american.stderr).toBe(0);
  await world.telctl('accounts patch --set caller_id.external.number=+493012345678');
  // Every command that checks numbers determines the country of the account.
  expect((await world.telctl('callflows lint -o json')).stdout).toContain('emergency-shadowed');
  expect((await world.telctl('audit -o json')).stdout).toContain('emergency-shadowed');
  const planned = await world.telctl('plan -f n.yaml', { files: { 'n.yaml': manifest('') } });
  expect([planned.code, planned.stderr]).toEqual([10, expect.stringContaining('emergency-shadowed')]);
  const exported = await world.telctl('export --only callflows --out all.yaml');
  expect(exported.code, exported.stderr).toBe(0);
  const plan = await world.telctl('plan -f all.yaml --exit-code');
  expect(plan.code, plan.stdout + plan.stderr).toBe(0);
});

test('--country overrides the country of the profile', async () => {
  const world = await openWorld();
  expect((await world.telctl(`profiles set ${world.profile} --country GB`)).code).toBe(0);
  const createDryRun = (option: string) =>
    world.telctl(`callflows create --name X --numbers 02079460018 --answers user:admin --dry-run ${option}`);
  expect((await createDryRun('')).stdout).toContain('+442079460018');
  expect((await createDryRun('--country IT')).stdout).toContain('+3902079460018');
});
