// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of manifests
import { expect, test } from 'vitest';
import { emergencyNumbers } from '../../../src/contract/emergency-numbers.ts';
import { openWorld, type Run } from '../../support/world.ts';

const writes = ({ requests }: Run): readonly string[] =>
  requests.flatMap(({ method, path }) =>
    method === 'GET' || path.endsWith('_auth') ? [] : [`${method} ${path}`],
  );

const flow = { module: 'user', data: { id: 'admin' }, children: {} };
const record = (more: object): string => JSON.stringify([{ name: 'X', numbers: ['7000'], flow, ...more }]);

/** Commands that would block emergency calls, with their standard input. */
const commands: readonly (readonly [string, string | undefined])[] = [
  ...emergencyNumbers().map(
    (number) => [`callflows create --name X --numbers ${number} --answers user:admin`, undefined] as const,
  ),
  ['callflows create --name X --numbers no_match --answers user:admin', undefined],
  ['callflows create -f -', record({ patterns: ['^(\\d{3})$'] })],
  ['callflows create -f -', record({ patterns: ['9'] })],
  ['callflows patch Main --set-json numbers=["2000","112"]', undefined],
  ['users patch admin --set call_restriction.emergency.action=deny', undefined],
  ['accounts patch --set call_restriction.emergency.action=deny', undefined],
  ['devices create --name D --set call_restriction.emergency.action=deny', undefined],
  ['users onboard --first-name Cal --last-name Conn --extension 911 --generate', undefined],
];

test.each(commands)(
  '%s is refused without --allow-emergency-shadow, even with --yes',
  async (line, stdin) => {
    const world = await openWorld();
    const made = await world.telctl('callflows create --name Main --numbers 2000 --answers user:admin');
    expect(made.code, made.stderr).toBe(0);
    const options = stdin === undefined ? {} : { stdin };
    const refused = await world.telctl(`${line} --yes`, options);
    expect([refused.code, refused.stderr]).toEqual([
      9,
      expect.stringMatching(/emergency.*--allow-emergency-shadow/s),
    ]);
    expect(writes(refused)).toEqual([]);
    const dry = await world.telctl(`${line} --dry-run`, options);
    expect([dry.code, dry.stderr, writes(dry)]).toEqual([
      0,
      expect.stringContaining('Without --dry-run, it needs --allow-emergency-shadow.'),
      [],
    ]);
    const allowed = await world.telctl(`${line} --yes --allow-emergency-shadow`, options);
    expect(allowed.code, allowed.stderr).toBe(0);
    const findings = await world.telctl('callflows lint -o json');
    const audit: readonly { code: string; severity: string }[] = JSON.parse(
      (await world.telctl('audit -o json')).stdout,
    );
    expect(
      audit.filter(({ code }) => /emergency-(?:shadowed|barred)/.test(code)).map(({ severity }) => severity),
    ).toContain('error');
    expect(findings.stdout).toMatch(/emergency-(?:shadowed|barred)/);
    // The export marks the callflow and plans no change.
    const exported = await world.telctl('export --out all.yaml');
    expect(exported.code, exported.stderr).toBe(0);
    const plan = await world.telctl('plan -f all.yaml --exit-code');
    expect(plan.code, plan.stdout + plan.stderr).toBe(0);
  },
);

test('a callflow that sends emergency calls to a carrier is allowed, and a question at a terminal defaults to no', async () => {
  const world = await openWorld();
  const out = JSON.stringify([
    {
      name: 'Out',
      numbers: ['911', '112'],
      patterns: ['^(\\d{3})$'],
      flow: { module: 'set_cid', data: {}, children: { _: { module: 'offnet', data: {}, children: {} } } },
    },
  ]);
  expect((await world.telctl('callflows create -f -', { stdin: out })).code).toBe(0);
  const asked = await world.telctl('callflows create --name X --numbers 999 --answers user:admin', {
    tty: true,
    answers: [{ to: /Do it anyway\?/, type: 'n' }],
  });
  expect([asked.code, writes(asked)]).toEqual([130, []]);
});

test('a manifest that intercepts emergency calls is invalid unless the object allows it', async () => {
  const world = await openWorld();
  const manifest = (more: string): string =>
    `users: { ann: { username: ann, first_name: A, last_name: A, password: First-Sign-In-1, call_restriction: { emergency: { action: deny } } ${more} } }\ncallflows: { x: { name: X, numbers: ["911"], flow: { module: hangup, data: {} } ${more} } }\n`;
  for (const line of [
    'validate -f m.yaml',
    'plan -f m.yaml',
    'apply -f m.yaml --yes',
    'callflows lint -f m.yaml',
  ]) {
    const run = await world.telctl(line, { files: { 'm.yaml': manifest('') } });
    expect([line, run.code]).toEqual([line, 10]);
    expect(`${run.stdout}${run.stderr}`).toMatch(/emergency-shadowed/);
    expect(writes(run)).toEqual([]);
  }
  const files = { 'm.yaml': manifest(', allow_emergency_shadow: true') };
  expect((await world.telctl('validate -f m.yaml', { files })).code).toBe(0);
  const applied = await world.telctl('apply -f m.yaml --yes', { files });
  expect(applied.code, applied.stderr).toBe(0);
  const again = await world.telctl('apply -f m.yaml --yes', { files });
  expect(again.stderr).toContain('Nothing to do');
});

const phones = `users: { ann: { username: ann, first_name: A, last_name: A, password: First-Sign-In-1 } }
devices:
  desk: { name: Desk, owner_id: "\${users.ann}", sip: { username: ann1, password: First-Sign-In-1 }, caller_id: { emergency: { number: "+14155550155" } } }
callflows:
  ten: { name: Ten, numbers: ["999"], flow: { module: hangup, data: {} }, allow_emergency_shadow: true }
  out: { name: Out, numbers: [no_match], flow: { module: offnet, data: {} } }
`;

test('audit --emergency calls every number from every phone and reports the destination', async () => {
  const world = await openWorld();
  const applied = await world.telctl('apply -f m.yaml --yes', { files: { 'm.yaml': phones } });
  expect(applied.code, applied.stderr).toBe(0);
  const run = await world.telctl('audit --emergency -o json');
  expect(run.code, run.stderr).toBe(0);
  const calls: readonly {
    from: string;
    number: string;
    ends_in: string;
    shows: string;
    problem: string | null;
  }[] = JSON.parse(run.stdout);
  expect(calls.map(({ number }) => number)).toEqual(emergencyNumbers());
  const of = (number: string) => calls.find((call) => call.number === number);
  expect(of('999')).toMatchObject({ from: 'Desk', problem: expect.stringContaining('reaches no carrier') });
  expect(of('911')).toMatchObject({
    ends_in: expect.stringMatching(/^carrier/),
    shows: '+14155550155',
    address: null,
  });
  const found = await world.telctl('test --explore 10 -f m.yaml -o json');
  expect([found.code, JSON.parse(found.stdout).found.map(({ to }: { to: string }) => to)]).toEqual([
    3,
    ['999'],
  ]);
});

test('a plan or undo after which emergency calls end inside the account is refused before any request', async () => {
  const world = await openWorld();
  const offnet = JSON.stringify([{ name: 'X', numbers: ['911'], flow: { module: 'offnet', data: {} } }]);
  expect((await world.telctl('callflows create -f -', { stdin: offnet })).code).toBe(0);
  // This manifest removes the carrier but keeps the number.
  const manifest = (mark: string): string =>
    `callflows: { x: { name: X, flow: { module: hangup, data: {} } ${mark} } }\n`;
  const files = { 'm.yaml': manifest('') };
  expect((await world.telctl('plan -f m.yaml --out p.plan', { files })).stdout).toContain('X');
  for (const line of ['apply p.plan --yes', 'apply -f m.yaml --yes']) {
    const run = await world.telctl(line, { files });
    expect([line, run.code, run.stderr]).toEqual([
      line,
      10,
      expect.stringContaining('"911" takes emergency calls'),
    ]);
    expect(writes(run)).toEqual([]);
  }
  const allowed = await world.telctl('apply -f m.yaml --yes', {
    files: { 'm.yaml': manifest(', allow_emergency_shadow: true') },
  });
  expect(allowed.code, allowed.stderr).toBe(0);
  expect((await world.telctl(`callflows patch X --set-json numbers=["7000"]`)).code).toBe(0);
  const refused = await world.telctl('undo --yes');
  expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining('--allow-emergency-shadow')]);
  expect(writes(refused)).toEqual([]);
  expect((await world.telctl('undo --yes --allow-emergency-shadow')).code).toBe(0);
});

test('a callflow that continues to the one with the carrier keeps emergency calls, and blacklisting 911 does not', async () => {
  const world = await openWorld();
  const out = JSON.stringify([{ name: 'Out', numbers: ['7001'], flow: { module: 'offnet', data: {} } }]);
  expect((await world.telctl('callflows create -f -', { stdin: out })).code).toBe(0);
  const id = (await world.telctl('callflows list -o json --query [0].id')).stdout.trim().replaceAll('"', '');
  const forwardTo = (module: string, of: string): string =>
    JSON.stringify([{ name: `To ${module}`, numbers: ['911'], flow: { module, data: { id: of } } }]);
  const kept = await world.telctl('callflows create -f -', { stdin: forwardTo('callflow', id) });
  expect(kept.code, kept.stderr).toBe(0);
  expect((await world.telctl('callflows lint -o json')).stdout).not.toContain('emergency-shadowed');
  const lost = await world.telctl('callflows create -f -', { stdin: forwardTo('callflow', 'f'.repeat(32)) });
  expect(lost.code, lost.stderr).toBe(9);
  const barred = await world.telctl('blacklists create --name B --set-json numbers={"911":{}}');
  expect([barred.code, barred.stderr]).toEqual([9, expect.stringContaining('help cannot call back')]);
});

const taking: readonly (readonly [string, object, boolean])[] = [
  ['a group of three digits', { patterns: ['^(\\d{3})$'] }, true],
  ['an open pattern', { patterns: ['9'] }, true],
  ['an empty group', { patterns: ['(?:)911'] }, true],
  ['a condition before the digits', { patterns: ['^(?=9)\\d+$'] }, true],
  ['a condition inside', { patterns: ['^9(?=1)1+$'] }, true],
  ['a condition that leaves 911 out', { patterns: ['^9(?!11)(?!33)(?!99)\\d\\d$'] }, false],
  ['marks', { numbers: ['9-1-1'] }, true],
  ['a longer number', { numbers: ['0911'] }, false],
  ['a feature code', { patterns: ['^\\*911$'] }, false],
  ['extensions of four digits', { patterns: ['^(\\d{4})$'] }, false],
];

test.each(taking)('%s: a manifest with %j intercepts emergency calls: %s', async (_, fields, isTaken) => {
  const world = await openWorld();
  const callflow = { name: 'X', flow: { module: 'hangup', data: {} }, ...fields };
  const run = await world.telctl('validate -f m.json', {
    files: { 'm.json': JSON.stringify({ callflows: { x: callflow } }) },
  });
  expect([run.code, run.stderr.includes('emergency-shadowed')]).toEqual(isTaken ? [10, true] : [0, false]);
});

test('calls and prices on KAZOO use the number classes of the service', async () => {
  const world = await openWorld({ like: 'kazoo' });
  const applied = await world.telctl('apply -f m.yaml --yes', { files: { 'm.yaml': phones } });
  expect(applied.code, applied.stderr).toBe(0);
  const run = await world.telctl('audit --emergency -o json');
  const found: readonly { number: string; problem: string | null }[] = JSON.parse(run.stdout);
  const of = (number: string) => found.find((call) => call.number === number)?.problem;
  // 112 is not an emergency number in the recorded classifiers.
  expect([of('911'), of('112')]).toEqual([
    expect.not.stringContaining('ordinary call'),
    expect.stringContaining('ordinary call'),
  ]);
});
