import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../src/base/json.ts';
import type { SentRequest } from '../../support/inject-transport.ts';
import type { Twin } from '../../support/twins.ts';
import { isSignIn, openWorld, type Run, type RunOptions, type World } from '../../support/world.ts';

const office = (protect: boolean): string => `
set: office
menus:
  main: { name: Main, protect: ${protect} }
  day: { name: Day }
`;
/** Applied with --prune, this manifest deletes Day. */
const smaller = 'set: office\nmenus: { main: { name: Main } }\n';

/** The own account and its twin, each with the same objects, set, keys and history. */
interface Both {
  readonly world: World;
  readonly twin: Twin;
  own(line: string, options?: RunOptions): Promise<Run>;
  there(line: string, options?: RunOptions): Promise<Run>;
  /** The files of telctl before the twin was created. */
  readonly mine: Readonly<Record<string, string>>;
}

const writes = ({ requests }: Run): readonly SentRequest[] =>
  requests.filter((sent) => sent.method !== 'GET' && !isSignIn(sent));

const kinds = {
  'the other account': (world: World) => world.twinAccount(),
  'the other service': (world: World) => world.twinService(),
} as const;

async function expectCode(run: Promise<Run>, code = 0): Promise<Run> {
  const done = await run;
  expect(done.code, done.stderr).toBe(code);
  return done;
}

/**
 * Returns the stored files by path, with one entry for each profile of the configuration. With `before`, only
 * existing entries.
 */
function readStoredFiles(
  { filesWritten, folders }: World,
  before?: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const texts = filesWritten()
    .filter(({ isFolder }) => !isFolder)
    .map(({ path }) => [relative(folders.home, path), readFileSync(path, 'utf8')] as const);
  const entries = texts.flatMap(([path, text]) =>
    path.endsWith('config.json')
      ? Object.entries(JSON.parse(text).profiles).map(([name, of]) => [`profile ${name}`, JSON.stringify(of)])
      : [[path, text]],
  );
  return Object.fromEntries(
    entries.filter(([path = '']) => before === undefined || Object.hasOwn(before, path)),
  );
}

const files = {
  'office.yaml': office(true),
  'open.yaml': office(false),
  'smaller.yaml': smaller,
  'hall.yaml': 'set: hall\nmenus: { hall: { name: Hall }, stair: { name: Stair } }\n',
  'yard.yaml': 'set: yard\nmenus: { yard: { name: Yard }, gate: { name: Gate } }\n',
  'fleet.csv': 'account\nacme\n',
};

/** Interrupts an apply between its two menus. */
const interruptedApply: RunOptions = {
  files,
  faults: [{ method: 'PUT', path: /menus$/, times: 1, fault: { kind: 'answer', status: 400, body: '{}' } }],
};

/** Returns an editor that writes an invalid value. */
const editorWriting = (value: string): RunOptions => ({
  env: { EDITOR: 'edit' },
  processes: {
    async runAttached(_, args) {
      writeFileSync(args.at(-1) ?? '', `enabled: ${value}\n`);
      return { code: 0, signal: null };
    },
  },
});

/** Creates one of each kind of data that telctl stores by account or service. `known` and `kept` read it. */
async function createStoredData(own: Both['own']): Promise<void> {
  await expectCode(own('apply -f office.yaml --yes', { files }));
  await expectCode(own('rollout start -f hall.yaml --accounts fleet.csv --yes', interruptedApply), 8);
  await expectCode(own('apply -f yard.yaml --yes', interruptedApply), 8);
  await expectCode(own('users edit admin', editorWriting('here')), 10);
  await expectCode(own('__refresh-names menus'));
}

async function openBoth(kind: keyof typeof kinds, isFull = false): Promise<Both> {
  const world = await openWorld({ signIn: 'password' });
  const at = (profile: string) => (line: string, options?: RunOptions) =>
    world.telctl(`${line} --profile ${profile}`, options);
  const own = at(world.profile);
  if (isFull) await createStoredData(own);
  const mine = readStoredFiles(world);
  const twin = await kinds[kind](world);
  const there = at(twin.profile);
  for (const run of isFull ? [there] : [own, there])
    await expectCode(run('apply -f office.yaml --yes', { files }));
  return { world, twin, own, there, mine };
}

const listRows = async (run: Promise<Run>): Promise<readonly JsonObject[]> => {
  const value: unknown = JSON.parse((await expectCode(run)).stdout);
  return Array.isArray(value) ? value.filter(isObject) : [];
};

/** Lines that fail, with their options and exit code. */
const failingLines = new Map<string, readonly [RunOptions, number]>([
  ['apply -f yard.yaml --yes', [interruptedApply, 8]],
  ['users edit admin', [editorWriting('there'), 10]],
]);

/** Returns everything that telctl knows about the own account, and its records. */
async function readKnown({ own, world: { seed, url, service } }: Both): Promise<unknown> {
  const isOwn = ({ service: at, account_id, accounts }: JsonObject): boolean =>
    at === url && JSON.stringify([account_id, accounts]).includes(seed.accountId);
  return {
    state: (await listRows(own('state list -o json'))).filter(isOwn),
    log: (await listRows(own('log --limit 0 -o json'))).filter(isOwn),
    whoami: JSON.parse((await expectCode(own('whoami -o json'))).stdout),
    token: (await expectCode(own('tokens show'))).stdout,
    plan: JSON.parse((await expectCode(own('plan -f office.yaml --prune -o json', { files }))).stdout),
    protects: (await expectCode(own('menus delete Main --yes --force'), 9)).stderr,
    menus: await service('GET', 'menus?paginate=false'),
  };
}

describe.each(['the other account', 'the other service'] as const)('%s', (kind) => {
  test('receives its own token at its own address', async () => {
    const { world, twin, own, there } = await openBoth(kind);
    const readTokens = async (run: typeof own) =>
      (await expectCode(run('menus list'))).requests
        .filter((sent) => !isSignIn(sent))
        .map(({ origin, path, headers }) => [origin, path, headers['x-auth-token']]);
    const [[ownOrigin, ownPath, ownToken] = []] = await readTokens(own);
    const [[origin, path, token] = []] = await readTokens(there);
    expect([ownOrigin, ownPath]).toEqual([world.url, `/v2/accounts/${world.seed.accountId}/menus`]);
    expect([origin, path]).toEqual([twin.url, `/v2/accounts/${twin.accountId}/menus`]);
    expect(token).not.toBe(ownToken);
  });

  test.each([
    ['a change', ['menus create --set name=Night']],
    ['a removal', ['apply -f smaller.yaml --prune --yes']],
    ['an end of protection', ['apply -f open.yaml --yes', 'menus delete Main --yes']],
    ['an undo', ['menus create --set name=Night', 'undo --yes --force']],
    ['a forgotten state', ['state forget ACCOUNT --yes']],
    ['a sign-out', ['tokens refresh', 'logout', 'profiles delete PROFILE --yes']],
    ['a run cut off, and another one', ['apply -f yard.yaml --yes', 'apply --resume --yes']],
    ['an edit that fails', ['users edit admin']],
    [
      'a rollout and its undo',
      ['rollout start -f hall.yaml --accounts twin.csv --yes', 'rollout undo 2 --yes'],
    ],
    ['a new session', ['tokens revoke-all --scope account --yes', 'tokens refresh']],
  ] as const)('is the only one changed by %s', async (_, lines) => {
    const pair = await openBoth(kind, true);
    const before = await readKnown(pair);
    const more = { ...files, 'twin.csv': `account\n${pair.twin.accountName}\n` };
    for (const line of lines) {
      const words = line
        .replace('ACCOUNT', `${pair.twin.accountName}@${pair.twin.url}`)
        .replace('PROFILE', pair.twin.profile);
      const [options, code] = failingLines.get(line) ?? [{}, 0];
      await expectCode(pair.there(words, { files: more, ...options }), code);
    }
    expect(readStoredFiles(pair.world, pair.mine)).toEqual(pair.mine);
    expect(await readKnown(pair)).toEqual(before);
  });

  test('is not changed by a plan that was saved for the own account', async () => {
    const { own, there } = await openBoth(kind);
    await expectCode(
      own('plan -f smaller.yaml --prune --out kept.plan', { files: { 'smaller.yaml': smaller } }),
    );
    const run = await there('apply kept.plan --yes');
    expect([run.code, writes(run)], run.stderr).toEqual([6, []]);
  });

  test('is not changed by a run that started at the own account', async () => {
    const { world, there, mine } = await openBoth(kind, true);
    for (const line of [
      'apply --resume --yes',
      'rollout resume 1 --yes',
      'rollout undo 1 --yes --force',
      'rollout cancel 1 --yes',
      'undo 1 --yes --force --overwrite',
    ]) {
      const run = await there(line, { files });
      expect([line, run.code, writes(run)], run.stderr).toEqual([line, expect.toBeOneOf([2, 4, 5]), []]);
    }
    expect(readStoredFiles(world, mine)).toEqual(mine);
  });

  test('has its own token if environment variables sign in to both', async () => {
    const { world, twin } = await openBoth(kind);
    const tokens = new Set<unknown>();
    for (let round = 0; round < 2; round += 1)
      for (const { url, accountId, accountName } of [{ ...world, ...world.seed }, twin]) {
        // Tokens issued in the same second would be equal.
        world.clock.turn(1_000);
        const { adminUsername, adminPassword } = world.seed;
        const signsIn = { TELCTL_USERNAME: adminUsername, TELCTL_PASSWORD: adminPassword };
        const env = { TELCTL_BASE_URL: url, TELCTL_ACCOUNT_NAME: accountName, ...signsIn };
        const { requests } = await expectCode(world.telctl('menus list', { env }));
        const [{ origin, path, headers } = expect.fail()] = requests.filter((sent) =>
          sent.path.endsWith('/menus'),
        );
        expect([origin, path]).toEqual([url, `/v2/accounts/${accountId}/menus`]);
        tokens.add(headers['x-auth-token']);
      }
    expect(tokens.size).toBe(2);
  });

  test('is not changed by an undo of a run in the own account', async () => {
    const { own, there } = await openBoth(kind);
    await expectCode(own('menus create --set name=Night'));
    const [newest] = await listRows(own('log -o json'));
    const run = await there(`undo ${newest?.id} --yes --force`);
    expect([run.code, writes(run)], run.stderr).toEqual([5, []]);
  });
});
