// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of manifests
import { expect, test } from 'vitest';
import { nextKinds } from '../../../src/base/failure.ts';
import { sandboxHome } from '../../support/real-sandbox.ts';
import { openWorld, type World } from '../../support/world.ts';

// A line that telctl proposes works as typed, in the state in which it was proposed.

/** Creates an account in which each of the lines below fails. */
async function openOffice(): Promise<World> {
  const world = await openWorld();
  await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  await world.addUser({ username: 'bob', first_name: 'Bob', last_name: 'Baker' });
  await world.telctl('groups create --name Sales --members alice,bob');
  await world.telctl('callflows create --name Alice --numbers 2001 --answers user:alice');
  await world.telctl('users patch alice --timezone Europe/Zurich');
  return world;
}

const files = {
  'team.csv': 'first_name,last_name,extension\nEve,Ende,2301\nFay,Feld,2302\n',
  'limits.yaml': 'limits: { twoway_trunks: 4 }\n',
  'office.yaml': 'menus:\n  main: { name: Main }\n',
  'refers.yaml':
    'menus:\n  main: { name: Main }\nvmboxes:\n  box: { name: B, mailbox: "2900", owner_id: "${accounts.users.alice}" }\n',
};

/** A failing line with the proposed lines, or the expected advice if no line is proposed. */
const failures: readonly (readonly [line: string, proposes: readonly string[] | RegExp])[] = [
  ['log 1', ['telctl log show 1']],
  ['log show 999', /telctl log lists the runs/],
  ['explain sso', ['telctl help sso']],
  ['explain holidays', ['telctl help holidays']],
  ['hours', ['telctl help hours']],
  ['dialtone', /telctl --help/],
  ['help zebra', /Topics:/],
  ['users list --no-headers', /Did you mean "--output name"\?/],
  ['users list -o jsonl', /Did you mean "ndjson"\?/],
  ['users get alise', /Did you mean "alice"\?/],
  ['callflows create --name X --numbers 2002 --answers user:alise', /Did you mean "alice"\?/],
  ['callflows create --name X --numbers 2001 --answers user:bob', /2001 is already used by another callflow/],
  [
    'users onboard --first-name Al --last-name Be --extension 2001 --softphone --generate --yes',
    /next free one is 2002/,
  ],
  ['users onboard -f team.csv --yes', /--credentials/],
  ['users delete alice --yes', ['telctl users offboard alice --to NAME']],
  ['apply', /-f office\.yaml/],
  ['apply nothing.plan', ['telctl plan -f FILE --out PLAN']],
  ['plan -f refers.yaml', /\$\{account\.users\.alice\}/],
  ['temporal-rules create --days mon-fri --hours 09:00-17:00', /Give --name/],
  ['accounts copy acme nowhere', /There is no account "nowhere"/],
];

/** Returns the lines that a message proposes: in quotes, after a colon, or each on its own line. */
const proposedLines = (stderr: string): readonly string[] =>
  stderr.split('\n').flatMap((text, index) => {
    const inside = [...text.matchAll(/(?:: |")(telctl [a-z][^"]*?)(?:\.?$|"|\. )/g)].map(
      ([, line = '']) => line,
    );
    return index > 0 && /^telctl [a-z]/.test(text) && !/ (?:lists|shows) /.test(text)
      ? [text, ...inside]
      : inside;
  });

test.each(failures)('telctl %s proposes a next step, in a pipe and at a terminal', async (line, proposes) => {
  const world = await openOffice();
  const run = await world.telctl(line, { files });
  expect(run.code, run.stderr).not.toBe(0);
  const seen = await world.telctl(`${line} --no-input`, { tty: true, width: 200, files });
  for (const { stderr } of [run, seen]) {
    if (proposes instanceof RegExp) expect(stderr).toMatch(proposes);
    else expect(proposedLines(stderr)).toEqual(expect.arrayContaining([...proposes]));
  }
  // Words in capitals are placeholders.
  for (const next of proposedLines(run.stderr).filter((each) => !/ [A-Z]{2,}\b/.test(each))) {
    const { code, stderr } = await world.telctl(next.replace(/^telctl /, ''), { files });
    expect([next, code], stderr).toEqual([next, 0]);
  }
});

/** A failure with its proposed next step. */
interface FailureCase {
  /** Lines that lead to the failure. The last one fails. */
  readonly lines: readonly string[];
  readonly proposes: string;
  /** Values of placeholders, and further arguments. */
  readonly words?: Readonly<Record<string, string>>;
  readonly more?: string;
  /** Runs until interrupted. */
  readonly isEndless?: boolean;
  /** Starts another process. */
  readonly isProcess?: boolean;
}

const failureCases: Readonly<Record<(typeof nextKinds)[number][0], FailureCase>> = {
  'go on': {
    lines: ['apply -f limits.yaml --yes'],
    proposes: 'telctl apply --resume',
    more: '--yes --accept-charges',
  },
  'take back': { lines: ['undo --yes', 'undo'], proposes: 'telctl undo 4', more: '--yes' },
  'sign in': {
    lines: ['logout --yes', 'users list'],
    proposes: 'telctl login --profile test --api-key-stdin',
  },
  allow: {
    lines: ['profiles set test --protect read-only', 'users delete bob --yes'],
    proposes: 'telctl profiles set test --protect none',
    more: '--yes',
  },
  'try here': {
    lines: ['sandbox clock advance 2h'],
    proposes: 'telctl sandbox start',
    isProcess: true,
  },
  'carry out': {
    lines: ['plan -f office.yaml --out office.plan', 'rollout start office.plan --yes'],
    proposes: 'telctl apply office.plan',
    more: '--yes',
  },
  'write down': {
    lines: ['apply nothing.plan'],
    proposes: 'telctl plan -f FILE --out PLAN',
    words: { FILE: 'office.yaml', PLAN: 'office.plan' },
  },
  receive: {
    lines: [
      'login --base-url https://voice.example --api-key-stdin --profile far',
      'profiles use far',
      'webhooks listen',
    ],
    proposes: 'telctl webhooks listen --port PORT --public-url URL',
    words: { PORT: '0', URL: 'https://tunnel.example' },
    isEndless: true,
  },
  change: {
    lines: ['users delete alice --yes'],
    proposes: 'telctl users offboard alice --to NAME',
    words: { NAME: 'bob' },
    more: '--yes',
  },
  look: { lines: ['log show 999'], proposes: 'telctl log' },
};

test.each(Object.entries(failureCases))(
  'the step "%s" works in the state that proposed it',
  async (kind, wall) => {
    const world = await openOffice();
    const stdin = world.seed.apiKey;
    const [last = '', ...before] = [...wall.lines].reverse();
    for (const line of before.reverse()) {
      const { code, stderr } = await world.telctl(line, { files, stdin });
      expect([line, code], stderr).toEqual([line, expect.toBeOneOf([0, 3])]);
    }
    const error = JSON.parse(
      (await world.telctl(`-o json ${last}`, { files })).stderr.trim().split('\n').at(-1) ?? '',
    ).error;
    const [, , needs] = nextKinds.find(([each]) => each === kind) ?? [];
    expect(error.next).toContainEqual({ kind, line: wall.proposes, needs });
    const seen = await world.telctl(`--no-input ${last}`, { tty: true, width: 200, files });
    expect(seen.stderr).toContain(wall.proposes);
    const typed = wall.proposes.replaceAll(/\b[A-Z]{2,}\b/g, (word) => wall.words?.[word] ?? word);
    const next = `${typed.replace(/^telctl /, '')} ${wall.more ?? ''}`;
    const ends = wall.isEndless ? { interrupted: AbortSignal.timeout(2_000) } : {};
    const { code, stderr } = wall.isProcess
      ? await sandboxHome().telctl(...next.trim().split(' '))
      : await world.telctl(next, { files, stdin, ...ends });
    expect([next, code], stderr).toEqual([next, 0]);
  },
);

test('existing records are named, and a second onboarding creates the missing ones', async () => {
  const world = await openOffice();
  const first = await world.telctl('users onboard -f team.csv --credentials a.csv --yes', { files });
  expect(first.code, first.stderr).toBe(0);
  const again = await world.telctl('users onboard -f team.csv --credentials b.csv --yes', { files });
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('are set up already')]);
  const bad = { 'bad.csv': 'first_name,last_name,extension,email\nGil,Gut,2303,no-address\n' };
  const failed = await world.telctl('users onboard -f bad.csv --credentials c.csv --yes', { files: bad });
  expect(failed.code).toBe(8);
  expect(failed.stderr).not.toMatch(/telctl undo|c\.csv/);
  const corrected = { 'bad.csv': 'first_name,last_name,extension,email\nGil,Gut,2303,gil@acme.example\n' };
  const line = 'users onboard -f bad.csv --credentials c.csv --yes';
  const second = await world.telctl(line, { files: corrected });
  expect([second.code, second.stderr]).toEqual([0, expect.stringContaining('Passwords: c.csv')]);
});

test('after a refusal, the changed manifest and the proposed command work', async () => {
  const world = await openOffice();
  const clashingManifest = (number: string) => ({
    'clash.yaml': `callflows:\n  x: { name: X, numbers: ["${number}"], flow: { module: hangup, data: {} } }\n`,
  });
  const refused = await world.telctl('apply -f clash.yaml --yes', { files: clashingManifest('2001') });
  expect(refused.stderr).toContain('2001 is already used by another callflow');
  expect(refused.stderr).not.toContain('--resume');
  expect(proposedLines(refused.stderr)).toEqual(['telctl apply -f clash.yaml']);
  const corrected = await world.telctl('apply -f clash.yaml --yes', { files: clashingManifest('2002') });
  expect(corrected.code, corrected.stderr).toBe(0);
});

test('after refused charges, the proposed command continues with consent', async () => {
  const world = await openOffice();
  const paid = { 'limits.yaml': 'limits: { twoway_trunks: 4 }\n' };
  const refused = await world.telctl('apply -f limits.yaml --yes', { files: paid });
  expect([refused.code, refused.stderr]).toEqual([7, expect.stringContaining('telctl apply --resume, and')]);
  const next = await world.telctl('apply --resume --yes --accept-charges');
  expect(next.code, next.stderr).toBe(0);
});
