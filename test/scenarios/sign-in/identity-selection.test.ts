import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { writeFiles } from '../../support/fake-host.ts';
import { isSignIn, openWorld, type Run, type World } from '../../support/world.ts';

/** A stored profile. `gone` does not exist on this machine. */
type ProfileName = 'test' | 'plan' | 'ask' | 'twin-account' | 'twin-service' | 'gone';
/** Owner of the secrets in the environment. */
type SecretOwner = 'nothing' | 'own' | 'other account' | 'other service';
type SecretKind = 'user' | 'key' | 'token';

interface Row {
  readonly option?: ProfileName;
  readonly variable?: ProfileName;
  readonly file?: ProfileName;
  readonly secrets: SecretOwner;
  readonly kind: SecretKind;
  /** `TELCTL_BASE_URL` names the service of the secrets. */
  readonly hasService: boolean;
}

/** The expected identity and service, or the exit code of a refusal. */
type ExpectedIdentity =
  | { readonly profile: string; readonly at: Exclude<ProfileName, 'gone'> }
  | { readonly refused: 2 };

const stored = ['test', 'plan', 'ask', 'twin-account', 'twin-service'] as const;

/** The profile with the identity of each secret. `test`, `plan` and `ask` share `own`. */
const secretOf = { own: 'test', 'other account': 'twin-account', 'other service': 'twin-service' } as const;
const identityOfProfile = (named: Exclude<ProfileName, 'gone'>) =>
  named === 'plan' || named === 'ask' ? 'test' : named;

/** Returns the expected identity of a row by the documented order of precedence. */
function expectedIdentity({ option, variable, file, secrets, hasService }: Row): ExpectedIdentity {
  const secret = secrets === 'nothing' ? undefined : secretOf[secrets];
  const named = option ?? variable ?? (file === 'gone' && secret ? undefined : file);
  if (named === 'gone') return { refused: 2 };
  if (named === undefined)
    return secret ? { profile: '(environment)', at: secret } : { profile: 'test', at: 'test' };
  // Secrets without a service are not sent if the profile can sign in without them.
  if (secret !== undefined && secret !== identityOfProfile(named) && hasService) return { refused: 2 };
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
const kinds: readonly SecretKind[] = ['user', 'key', 'token'];
const secrets: readonly Pick<Row, 'secrets' | 'kind' | 'hasService'>[] = [
  { secrets: 'nothing', kind: 'user', hasService: false },
  ...(['own', 'other account', 'other service'] as const).flatMap((secrets) =>
    kinds.map((kind) => ({ secrets, kind, hasService: true })),
  ),
  ...(['own', 'other account'] as const).map((secrets) => ({
    secrets,
    kind: 'key' as const,
    hasService: false,
  })),
];
const rows: readonly Row[] = secrets.flatMap((secret) => names.map((name) => ({ ...name, ...secret })));

interface Place {
  readonly world: World;
  readonly accounts: ReadonlyMap<string, { readonly url: string; readonly accountId: string }>;
  /** Variables by owner and kind of secret. */
  readonly variables: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

async function openPlace(): Promise<Place> {
  const world = await openWorld();
  const { url, seed, clock, sandbox } = world;
  const login = ['login', '--base-url', url, '--api-key-stdin', '--profile'];
  const protections = { plan: 'read-only', ask: 'confirm' };
  for (const [name, protect] of Object.entries(protections)) {
    // Tokens issued in the same second would be equal.
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
  const issueToken = (at: typeof sandbox, name: string) =>
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
      ['own token', { TELCTL_TOKEN: await issueToken(sandbox, 'acme') }],
      ['other account user', user(account.accountName)],
      ['other account key', { TELCTL_API_KEY: String(otherKey) }],
      ['other account token', { TELCTL_TOKEN: await issueToken(sandbox, account.accountName) }],
      // Names and keys of the other service are equal.
      ['other service user', user('acme')],
      ['other service key', { TELCTL_API_KEY: seed.apiKey }],
      ['other service token', { TELCTL_TOKEN: await issueToken(service.sandbox, 'acme') }],
    ]),
  };
}

/** Returns the variables and options of a row. */
function prepareRow({ world, accounts, variables }: Place, row: Row) {
  const { option, variable, file, secrets, kind, hasService } = row;
  writeFiles(world.folders.cwd, { '.telctl.yaml': file === undefined ? '' : `profile: ${file}\n` });
  const url = secrets === 'nothing' ? undefined : accounts.get(secretOf[secrets])?.url;
  return {
    options: option === undefined ? [] : ['--profile', option],
    env: {
      ...(variable === undefined ? {} : { TELCTL_PROFILE: variable }),
      ...(url !== undefined && hasService ? { TELCTL_BASE_URL: url } : {}),
      ...variables.get(`${secrets} ${kind}`),
    },
  };
}

/** Returns account, address and token profile of all requests except sign-ins. */
function receivedRequests({ world, accounts }: Place, { requests }: Run) {
  const tokens = [...stored, '(environment)' as const].map((name) => [name, readToken(world, name)] as const);
  return requests
    .filter((request) => !isSignIn(request) && /\/accounts\//.test(request.path))
    .map(({ origin, path, headers }) => ({
      at: [...accounts].find(
        ([, { url, accountId }]) => url === origin && path.startsWith(`/v2/accounts/${accountId}/`),
      )?.[0],
      token: tokens.find(([, token]) => token === headers['x-auth-token'])?.[0] ?? '(environment)',
    }));
}

function readToken({ folders }: World, name: string): string | undefined {
  const path = join(folders.home, '.config', 'telctl', 'tokens', `${name}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).token : undefined;
}

const describeRow = ({ option, variable, file, secrets, kind, hasService }: Row): string =>
  `--profile ${option ?? '-'}, TELCTL_PROFILE ${variable ?? '-'}, file ${file ?? '-'}, secrets: ${secrets} (${kind}, ${hasService ? 'with' : 'without'} service)`;

/** Exit code of a change by profile, without a terminal (default: 0). */
const changeCodes = new Map([
  ['plan', 9],
  ['ask', 2],
]);

test('the selected identity signs in with its account, token and protection, whatever other secrets are set', async () => {
  const place = await openPlace();
  const { world } = place;
  world.clock.turn(1_000);
  for (const row of rows) {
    const { options, env } = prepareRow(place, row);
    const run = (...line: readonly string[]) => world.telctl([...options, ...line], { env });
    const speaker = expectedIdentity(row);
    const who = await run('whoami', '-o', 'json');
    const change = await run('menus', 'create', '--name', 'front');
    if ('refused' in speaker) {
      expect([who.code, change.code, receivedRequests(place, change)], describeRow(row)).toEqual([2, 2, []]);
      expect(JSON.parse(who.stderr).error.message, describeRow(row)).toMatch(
        /^Profile "\S+" is of \S.+, and TELCTL_\w+ (?:is of|names) .+\.$|There is no profile/,
      );
      continue;
    }
    const { profile, at } = speaker;
    expect([who.code, who.stderr], describeRow(row)).toEqual([0, '']);
    expect(JSON.parse(who.stdout), describeRow(row)).toMatchObject({ profile });
    const explained: readonly JsonObject[] = JSON.parse(
      (await run('config', 'explain', '-o', 'json')).stdout,
    );
    const findSetting = (name: string) => explained.find((each) => each.setting === name)?.value;
    const url = place.accounts.get(at)?.url;
    expect([findSetting('profile'), findSetting('base-url')], describeRow(row)).toEqual([profile, url]);
    const request = { at: identityOfProfile(at), token: profile };
    expect(receivedRequests(place, who), describeRow(row)).toContainEqual(request);
    expect(
      receivedRequests(place, who).every((each) => isDeepStrictEqual(each, request)),
      describeRow(row),
    ).toBe(true);
    const code = changeCodes.get(profile) ?? 0;
    expect([change.code, receivedRequests(place, change)], describeRow(row)).toEqual([
      code,
      code === 0 ? [request] : [],
    ]);
  }
});
