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
/** Without what the office had besides: applied with --prune, it deletes Day. */
const smaller = 'set: office\nmenus: { main: { name: Main } }\n';

/** The own account and its twin, each with the objects, the set, the keys and the history of the other. */
interface Both {
  readonly world: World;
  readonly twin: Twin;
  own(line: string, options?: RunOptions): Promise<Run>;
  there(line: string, options?: RunOptions): Promise<Run>;
  /** All that telctl kept before there was a twin. */
  readonly mine: Readonly<Record<string, string>>;
}

const writes = ({ requests }: Run): readonly SentRequest[] =>
  requests.filter((sent) => sent.method !== 'GET' && !isSignIn(sent));

const kinds = {
  'the other account': (world: World) => world.twinAccount(),
  'the other service': (world: World) => world.twinService(),
} as const;

async function ok(run: Promise<Run>, code = 0): Promise<Run> {
  const done = await run;
  expect(done.code, done.stderr).toBe(code);
  return done;
}

/** All that telctl keeps in files, by path, or what of it stood there before; of the settings, the profiles one by one. */
function kept(
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

/** A run of a manifest that is cut off between its two menus. */
const cutOff: RunOptions = {
  files,
  faults: [{ method: 'PUT', path: /menus$/, times: 1, fault: { kind: 'answer', status: 400, body: '{}' } }],
};

/** An editor that leaves a value which no service takes. */
const editing = (value: string): RunOptions => ({
  env: { EDITOR: 'edit' },
  processes: {
    async runAttached(_, args) {
      writeFileSync(args.at(-1) ?? '', `enabled: ${value}\n`);
      return { code: 0, signal: null };
    },
  },
});

/** Leaves one of each thing that telctl keeps by account or service in the own account: `known` and `kept` show them. */
async function left(own: Both['own']): Promise<void> {
  await ok(own('apply -f office.yaml --yes', { files }));
  await ok(own('rollout start -f hall.yaml --accounts fleet.csv --yes', cutOff), 8);
  await ok(own('apply -f yard.yaml --yes', cutOff), 8);
  await ok(own('users edit admin', editing('here')), 10);
  await ok(own('__refresh-names menus'));
}

async function both(kind: keyof typeof kinds, isFull = false): Promise<Both> {
  const world = await openWorld({ signIn: 'password' });
  const at = (profile: string) => (line: string, options?: RunOptions) =>
    world.telctl(`${line} --profile ${profile}`, options);
  const own = at(world.profile);
  if (isFull) await left(own);
  const mine = kept(world);
  const twin = await kinds[kind](world);
  const there = at(twin.profile);
  for (const run of isFull ? [there] : [own, there]) await ok(run('apply -f office.yaml --yes', { files }));
  return { world, twin, own, there, mine };
}

const rowsOf = async (run: Promise<Run>): Promise<readonly JsonObject[]> => {
  const value: unknown = JSON.parse((await ok(run)).stdout);
  return Array.isArray(value) ? value.filter(isObject) : [];
};

/** Lines that end otherwise than well, with how. */
const inVain = new Map<string, readonly [RunOptions, number]>([
  ['apply -f yard.yaml --yes', [cutOff, 8]],
  ['users edit admin', [editing('there'), 10]],
]);

/** All that telctl knows of the own account, and all that the account holds. */
async function known({ own, world: { seed, url, service } }: Both): Promise<unknown> {
  const isOwn = ({ service: at, account_id, accounts }: JsonObject): boolean =>
    at === url && JSON.stringify([account_id, accounts]).includes(seed.accountId);
  return {
    state: (await rowsOf(own('state list -o json'))).filter(isOwn),
    log: (await rowsOf(own('log --limit 0 -o json'))).filter(isOwn),
    whoami: JSON.parse((await ok(own('whoami -o json'))).stdout),
    token: (await ok(own('tokens show'))).stdout,
    plan: JSON.parse((await ok(own('plan -f office.yaml --prune -o json', { files }))).stdout),
    protects: (await ok(own('menus delete Main --yes --force'), 9)).stderr,
    menus: await service('GET', 'menus?paginate=false'),
  };
}

describe.each(['the other account', 'the other service'] as const)('%s', (kind) => {
  test('receives its own token at its own address', async () => {
    const { world, twin, own, there } = await both(kind);
    const speaks = async (run: typeof own) =>
      (await ok(run('menus list'))).requests
        .filter((sent) => !isSignIn(sent))
        .map(({ origin, path, headers }) => [origin, path, headers['x-auth-token']]);
    const [[ownOrigin, ownPath, ownToken] = []] = await speaks(own);
    const [[origin, path, token] = []] = await speaks(there);
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
    const pair = await both(kind, true);
    const before = await known(pair);
    const more = { ...files, 'twin.csv': `account\n${pair.twin.accountName}\n` };
    for (const line of lines) {
      const words = line
        .replace('ACCOUNT', `${pair.twin.accountName}@${pair.twin.url}`)
        .replace('PROFILE', pair.twin.profile);
      const [options, code] = inVain.get(line) ?? [{}, 0];
      await ok(pair.there(words, { files: more, ...options }), code);
    }
    expect(kept(pair.world, pair.mine)).toEqual(pair.mine);
    expect(await known(pair)).toEqual(before);
  });

  test('is not changed by a plan that was saved for the own account', async () => {
    const { own, there } = await both(kind);
    await ok(own('plan -f smaller.yaml --prune --out kept.plan', { files: { 'smaller.yaml': smaller } }));
    const run = await there('apply kept.plan --yes');
    expect([run.code, writes(run)], run.stderr).toEqual([6, []]);
  });

  test('is not changed by a run that started at the own account', async () => {
    const { world, there, mine } = await both(kind, true);
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
    expect(kept(world, mine)).toEqual(mine);
  });

  test('has its own token if environment variables sign in to both', async () => {
    const { world, twin } = await both(kind);
    const tokens = new Set<unknown>();
    for (let round = 0; round < 2; round += 1)
      for (const { url, accountId, accountName } of [{ ...world, ...world.seed }, twin]) {
        // Tokens of one second would be equal.
        world.clock.turn(1_000);
        const { adminUsername, adminPassword } = world.seed;
        const signsIn = { TELCTL_USERNAME: adminUsername, TELCTL_PASSWORD: adminPassword };
        const env = { TELCTL_BASE_URL: url, TELCTL_ACCOUNT_NAME: accountName, ...signsIn };
        const { requests } = await ok(world.telctl('menus list', { env }));
        const [{ origin, path, headers } = expect.fail()] = requests.filter((sent) =>
          sent.path.endsWith('/menus'),
        );
        expect([origin, path]).toEqual([url, `/v2/accounts/${accountId}/menus`]);
        tokens.add(headers['x-auth-token']);
      }
    expect(tokens.size).toBe(2);
  });

  test('is not changed by an undo of a run in the own account', async () => {
    const { own, there } = await both(kind);
    await ok(own('menus create --set name=Night'));
    const [newest] = await rowsOf(own('log -o json'));
    const run = await there(`undo ${newest?.id} --yes --force`);
    expect([run.code, writes(run)], run.stderr).toEqual([5, []]);
  });
});
