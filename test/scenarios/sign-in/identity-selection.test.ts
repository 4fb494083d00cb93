import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { writeFiles } from '../../support/fake-host.ts';
import { isSignIn, openWorld, type Run, type World } from '../../support/world.ts';

/** A stored profile, or none: `gone` is not on this machine. */
type Named = 'test' | 'plan' | 'ask' | 'twin-account' | 'twin-service' | 'gone';
/** Owner of the secrets that stand in the environment. */
type Beside = 'nothing' | 'own' | 'other account' | 'other service';
/** The kind of these secrets. */
type Kind = 'user' | 'key' | 'token';

interface Row {
  readonly option?: Named;
  readonly variable?: Named;
  readonly file?: Named;
  readonly beside: Beside;
  readonly kind: Kind;
  /** `TELCTL_BASE_URL` says where the secrets belong. */
  readonly hasService: boolean;
}

/** The identity that is expected at the service, or the exit code of a refusal. */
type Speaker = { readonly profile: string; readonly at: Exclude<Named, 'gone'> } | { readonly refused: 2 };

const stored = ['test', 'plan', 'ask', 'twin-account', 'twin-service'] as const;

/** The identity that each kind of secret has; `own` is that of the profile `test`, `plan` and `ask`. */
const secretOf = { own: 'test', 'other account': 'twin-account', 'other service': 'twin-service' } as const;
const identityOf = (named: Exclude<Named, 'gone'>) => (named === 'plan' || named === 'ask' ? 'test' : named);

/** Says who speaks, by interface section 8 alone. */
function expected({ option, variable, file, beside, hasService }: Row): Speaker {
  const secret = beside === 'nothing' ? undefined : secretOf[beside];
  const named = option ?? variable ?? (file === 'gone' && secret ? undefined : file);
  if (named === 'gone') return { refused: 2 };
  if (named === undefined)
    return secret ? { profile: '(environment)', at: secret } : { profile: 'test', at: 'test' };
  // Secrets that belong nowhere are not sent where the profile can sign in by itself.
  if (secret !== undefined && secret !== identityOf(named) && hasService) return { refused: 2 };
  return { profile: named, at: named };
}

const places = ['option', 'variable', 'file'] as const;
const names: readonly Pick<Row, 'option' | 'variable' | 'file'>[] = [
  {},
  ...places.flatMap((place) => [...stored, 'gone' as const].map((named) => ({ [place]: named }))),
  { option: 'plan', variable: 'twin-account', file: 'twin-service' },
  { option: 'twin-account', file: 'plan' },
  { variable: 'plan', file: 'twin-account' },
  { variable: 'twin-service', file: 'gone' },
];
const kinds: readonly Kind[] = ['user', 'key', 'token'];
const secrets: readonly Pick<Row, 'beside' | 'kind' | 'hasService'>[] = [
  { beside: 'nothing', kind: 'user', hasService: false },
  ...(['own', 'other account', 'other service'] as const).flatMap((beside) =>
    kinds.map((kind) => ({ beside, kind, hasService: true })),
  ),
  ...(['own', 'other account'] as const).map((beside) => ({
    beside,
    kind: 'key' as const,
    hasService: false,
  })),
];
const rows: readonly Row[] = secrets.flatMap((secret) => names.map((name) => ({ ...name, ...secret })));

interface Place {
  readonly world: World;
  readonly accounts: ReadonlyMap<string, { readonly url: string; readonly accountId: string }>;
  /** The variables of each secret. */
  readonly variables: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

async function openPlace(): Promise<Place> {
  const world = await openWorld();
  const { url, seed, clock, sandbox } = world;
  const login = ['login', '--base-url', url, '--api-key-stdin', '--profile'];
  const protections = { plan: 'read-only', ask: 'confirm' };
  for (const [name, protect] of Object.entries(protections)) {
    // Tokens of one second would be equal.
    clock.turn(1_000);
    await world.telctl([...login, name], { stdin: seed.apiKey });
    const run = await world.telctl(`profiles set ${name} --protect ${protect}`);
    expect(run.code, run.stderr).toBe(0);
  }
  const [account, service] = [await world.twinAccount(), await world.twinService()];
  clock.turn(1_000);
  const own = { url, accountId: seed.accountId };
  const user = (name: string) => ({
    ...{ TELCTL_USERNAME: seed.adminUsername, TELCTL_PASSWORD: seed.adminPassword },
    TELCTL_ACCOUNT_NAME: name,
  });
  const { api_key: otherKey } = await account.service('GET', 'api_key');
  const tokenAt = (at: typeof sandbox, name: string) =>
    at.tokenOf(seed.adminUsername, seed.adminPassword, name);
  return {
    world,
    accounts: new Map([
      ...['test', ...Object.keys(protections)].map((name) => [name, own] as const),
      ...[account, service].map((twin) => [twin.profile, twin] as const),
    ]),
    variables: new Map<string, Readonly<Record<string, string>>>([
      ['own user', user('acme')],
      ['own key', { TELCTL_API_KEY: seed.apiKey }],
      ['own token', { TELCTL_TOKEN: await tokenAt(sandbox, 'acme') }],
      ['other account user', user(account.accountName)],
      ['other account key', { TELCTL_API_KEY: String(otherKey) }],
      ['other account token', { TELCTL_TOKEN: await tokenAt(sandbox, account.accountName) }],
      // All names and keys are the same there.
      ['other service user', user('acme')],
      ['other service key', { TELCTL_API_KEY: seed.apiKey }],
      ['other service token', { TELCTL_TOKEN: await tokenAt(service.sandbox, 'acme') }],
    ]),
  };
}

/** The variables and options of a row. */
function given({ world, accounts, variables }: Place, row: Row) {
  const { option, variable, file, beside, kind, hasService } = row;
  writeFiles(world.folders.cwd, { '.telctl.yaml': file === undefined ? '' : `profile: ${file}\n` });
  const url = beside === 'nothing' ? undefined : accounts.get(secretOf[beside])?.url;
  return {
    options: option === undefined ? [] : ['--profile', option],
    env: {
      ...(variable === undefined ? {} : { TELCTL_PROFILE: variable }),
      ...(url !== undefined && hasService ? { TELCTL_BASE_URL: url } : {}),
      ...variables.get(`${beside} ${kind}`),
    },
  };
}

/** The account and the address that requests other than sign-ins went to, and the profile whose token they had. */
function arrived({ world, accounts }: Place, { requests }: Run) {
  const tokens = [...stored, '(environment)' as const].map((name) => [name, tokenOf(world, name)] as const);
  return requests
    .filter((request) => !isSignIn(request) && /\/accounts\//.test(request.path))
    .map(({ origin, path, headers }) => ({
      at: [...accounts].find(
        ([, { url, accountId }]) => url === origin && path.startsWith(`/v2/accounts/${accountId}/`),
      )?.[0],
      token: tokens.find(([, token]) => token === headers['x-auth-token'])?.[0] ?? '(environment)',
    }));
}

function tokenOf({ folders }: World, name: string): string | undefined {
  const path = join(folders.home, '.config', 'telctl', 'tokens', `${name}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).token : undefined;
}

const words = ({ option, variable, file, beside, kind, hasService }: Row): string =>
  `--profile ${option ?? '-'}, TELCTL_PROFILE ${variable ?? '-'}, file ${file ?? '-'}, secrets: ${beside} (${kind}, ${hasService ? 'with' : 'without'} service)`;

/** Exit code of a change under each profile, without a terminal; 0 where it stands nowhere here. */
const changeCodes = new Map([
  ['plan', 9],
  ['ask', 2],
]);

test('the selected identity signs in with its account, token and protection, whatever other secrets are set', async () => {
  const place = await openPlace();
  const { world } = place;
  world.clock.turn(1_000);
  for (const row of rows) {
    const { options, env } = given(place, row);
    const run = (...line: readonly string[]) => world.telctl([...options, ...line], { env });
    const speaker = expected(row);
    const who = await run('whoami', '-o', 'json');
    const change = await run('menus', 'create', '--name', 'front');
    if ('refused' in speaker) {
      expect([who.code, change.code, arrived(place, change)], words(row)).toEqual([2, 2, []]);
      expect(JSON.parse(who.stderr).error.message, words(row)).toMatch(
        /^Profile "\S+" is of \S.+, and TELCTL_\w+ (?:is of|names) .+\.$|There is no profile/,
      );
      continue;
    }
    const { profile, at } = speaker;
    expect([who.code, who.stderr], words(row)).toEqual([0, '']);
    expect(JSON.parse(who.stdout), words(row)).toMatchObject({ profile });
    const explained: readonly JsonObject[] = JSON.parse(
      (await run('config', 'explain', '-o', 'json')).stdout,
    );
    const setting = (name: string) => explained.find((each) => each.setting === name)?.value;
    const url = place.accounts.get(at)?.url;
    expect([setting('profile'), setting('base-url')], words(row)).toEqual([profile, url]);
    const request = { at: identityOf(at), token: profile };
    expect(arrived(place, who), words(row)).toContainEqual(request);
    expect(
      arrived(place, who).every((each) => isDeepStrictEqual(each, request)),
      words(row),
    ).toBe(true);
    const code = changeCodes.get(profile) ?? 0;
    expect([change.code, arrived(place, change)], words(row)).toEqual([code, code === 0 ? [request] : []]);
  }
});
