import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import type { SentRequest } from '../support/inject-transport.ts';
import type { Twin } from '../support/twins.ts';
import { isSignIn, openWorld, type Run, type RunOptions, type World } from '../support/world.ts';

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

async function both(kind: keyof typeof kinds): Promise<Both> {
  const world = await openWorld({ signIn: 'password' });
  const twin = await kinds[kind](world);
  const at = (profile: string) => (line: string, options?: RunOptions) =>
    world.telctl(`${line} --profile ${profile}`, options);
  const [own, there] = [at(world.profile), at(twin.profile)];
  for (const run of [own, there])
    await ok(run('apply -f office.yaml --yes', { files: { 'office.yaml': office(true) } }));
  return { world, twin, own, there };
}

const rowsOf = async (run: Promise<Run>): Promise<readonly JsonObject[]> => {
  const value: unknown = JSON.parse((await ok(run)).stdout);
  return Array.isArray(value) ? value.filter(isObject) : [];
};

/** All that telctl knows of the own account, and all that the account holds. */
async function known({ own, world: { seed, url, service } }: Both): Promise<unknown> {
  const isOwn = ({ service: at, account_id, accounts }: JsonObject): boolean =>
    at === url && JSON.stringify([account_id, accounts]).includes(seed.accountId);
  const files = { 'office.yaml': office(true) };
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
  test('is spoken to with its own token, at its own address', async () => {
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
  ] as const)('is all that %s there changes', async (_, lines) => {
    const pair = await both(kind);
    const before = await known(pair);
    const files = { 'smaller.yaml': smaller, 'open.yaml': office(false) };
    for (const line of lines) {
      const words = line
        .replace('ACCOUNT', `${pair.twin.accountName}@${pair.twin.url}`)
        .replace('PROFILE', pair.twin.profile);
      await ok(pair.there(words, { files }));
    }
    expect(await known(pair)).toEqual(before);
  });

  test('is not changed by a plan that was kept for the own account', async () => {
    const { own, there } = await both(kind);
    await ok(own('plan -f smaller.yaml --prune --out kept.plan', { files: { 'smaller.yaml': smaller } }));
    const run = await there('apply kept.plan --yes');
    expect([run.code, writes(run)], run.stderr).toEqual([6, []]);
  });

  test('is not changed by an undo of a run at the own account', async () => {
    const { own, there } = await both(kind);
    await ok(own('menus create --set name=Night'));
    const [newest] = await rowsOf(own('log -o json'));
    const run = await there(`undo ${newest?.id} --yes --force`);
    expect([run.code, writes(run)], run.stderr).toEqual([5, []]);
  });
});
