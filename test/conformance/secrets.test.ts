import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import type { SentRequest } from '../support/inject-transport.ts';
import { openWorld, type World } from '../support/world.ts';

/** A secret, and the only service that may receive it. */
interface Secret {
  readonly what: string;
  readonly text: string;
  readonly origin: string;
}

const other = 'http://localhost:9000';
const serviceUrls = (world: World) => ({
  own: world.url,
  port: world.url.replace('8000', '8001'),
  scheme: world.url.replace('http:', 'https:'),
  other,
  lookalike: 'http://localhost.evil.example:8000',
});

const tokenFolder = ({ folders }: World): string => join(folders.home, '.config', 'telctl', 'tokens');
const readToken = (world: World, profile: string): string => {
  const kept: unknown = JSON.parse(readFileSync(join(tokenFolder(world), `${profile}.json`), 'utf8'));
  if (isObject(kept) && typeof kept.token === 'string') return kept.token;
  throw new Error(`Profile ${profile} has no token.`);
};

/** Creates a world with a profile that stores a key of one service, and one that stores a token of another. */
async function openTwoServices(): Promise<World> {
  const world = await openWorld();
  const login = ['login', '--profile', 'other', '--base-url', other, '--account-name', 'acme'];
  const run = await world.telctl([...login, '--username', 'admin', '--password-stdin'], {
    stdin: world.seed.adminPassword,
  });
  expect(run.code, run.stderr).toBe(0);
  return world;
}

const containsSecret = ({ headers, path, search, body }: SentRequest, { text }: Secret): boolean =>
  JSON.stringify([headers, path, search, body]).includes(text);

/** Describes secrets that were sent to the wrong service, and tokens that were sent to two services. */
function findMisplaced(
  requests: readonly SentRequest[],
  secrets: readonly Secret[],
  seen: Map<string, string>,
): readonly string[] {
  return requests.flatMap((request) => {
    const { origin, headers } = request;
    const token = headers['x-auth-token'] ?? headers.authorization;
    const isMinted = token !== undefined && token !== given;
    const before = isMinted ? (seen.get(token) ?? origin) : origin;
    if (isMinted) seen.set(token, before);
    return [
      ...secrets
        .filter((each) => each.origin !== origin && containsSecret(request, each))
        .map(({ what }) => what),
      ...(before === origin ? [] : ['a token']),
    ].map((what) => `${what} went to ${origin}`);
  });
}

/** A token from the environment. telctl cannot know its service. */
const given = 'environment-token';
const key = 'e'.repeat(64);

/** Sign-ins from the environment, and the sent form of each secret. */
const identities = (world: World) => [
  { env: {}, text: undefined },
  { env: { TELCTL_API_KEY: key }, text: key },
  { env: { TELCTL_TOKEN: given }, text: given },
  { env: { TELCTL_PASSWORD: world.seed.adminPassword }, text: world.digest('md5') },
  {
    env: {
      TELCTL_USERNAME: 'admin',
      TELCTL_ACCOUNT_NAME: 'acme',
      TELCTL_PASSWORD: world.seed.adminPassword,
    },
    text: world.digest('md5'),
  },
];

test('secrets are sent only to their own service for every combination of address, environment and profile', async () => {
  const world = await openTwoServices();
  const seen = new Map<string, string>();
  const at = serviceUrls(world);
  let sent = 0;
  for (const profile of [undefined, 'test', 'other'])
    for (const baseUrl of [undefined, ...Object.values(at)])
      for (const envUrl of [undefined, at.own, at.other, at.port])
        for (const { env, text } of identities(world))
          for (const hasTokens of [true, false]) {
            // Tokens issued in the same second would be equal.
            world.clock.turn(1000);
            const secrets: Secret[] = [
              { what: 'the key of test', text: world.seed.apiKey, origin: world.url },
            ];
            if (!hasTokens) rmSync(tokenFolder(world), { recursive: true, force: true });
            else if (readdirSync(join(tokenFolder(world), '..')).includes('tokens'))
              for (const [name, origin] of [
                ['test', world.url],
                ['other', other],
              ] as const)
                if (readdirSync(tokenFolder(world)).includes(`${name}.json`))
                  secrets.push({ what: `the token of ${name}`, text: readToken(world, name), origin });
            if (text !== undefined && envUrl !== undefined)
              secrets.push({ what: 'the secret of the environment', text, origin: envUrl });
            const argv = [
              ...['users', 'list', '--no-input'],
              ...(profile === undefined ? [] : ['--profile', profile]),
              ...(baseUrl === undefined ? [] : ['--base-url', baseUrl]),
            ];
            const run = await world.telctl(argv, {
              env: { ...env, ...(envUrl === undefined ? {} : { TELCTL_BASE_URL: envUrl }) },
            });
            sent += run.requests.length;
            const where = `${argv.join(' ')} ${JSON.stringify(env)} ${envUrl}`;
            expect(findMisplaced(run.requests, secrets, seen), where).toEqual([]);
          }
  expect(sent).toBeGreaterThan(200);
});

test('login sends secrets from the environment only to the service that the environment names', async () => {
  const world = await openWorld();
  let sent = 0;
  for (const baseUrl of Object.values(serviceUrls(world)))
    for (const envUrl of Object.values(serviceUrls(world)))
      for (const { env, text = '' } of identities(world)) {
        const argv = ['login', '--profile', 'new', '--base-url', baseUrl, '--no-input', '--allow-http'];
        const user = env.TELCTL_API_KEY ? [] : ['--username', 'admin', '--account-name', 'acme'];
        const { TELCTL_ACCOUNT_NAME: _, ...rest } = env;
        const run = await world.telctl([...argv, ...user], { env: { ...rest, TELCTL_BASE_URL: envUrl } });
        const secret = { what: 'the secret of the environment', text, origin: envUrl };
        const isOut = text !== '' && run.requests.some((request) => containsSecret(request, secret));
        if (isOut) sent += 1;
        expect(isOut && baseUrl !== envUrl, `${argv.join(' ')} ${envUrl}`).toBe(false);
      }
  expect(sent).toBeGreaterThan(0);
});

test('redirects are never followed', async () => {
  for (const status of [301, 302, 303, 307, 308])
    for (const location of ['http://127.0.0.1:8001/v2/users', '//evil.example/v2', '/v2/elsewhere']) {
      const world = await openWorld();
      const faults = [{ fault: { kind: 'answer', status, headers: { location } } }] as const;
      const run = await world.telctl('users list --retries 0', { faults });
      expect(run.code, run.stderr).toBe(1);
      expect(run.requests.map(({ origin, path }) => `${origin} ${path}`)).toEqual([
        `${world.url} /v2/accounts/${world.seed.accountId}/users`,
      ]);
    }
});

test('a sign-in does not replace the profile of another service without confirmation', async () => {
  const world = await openWorld();
  const { url, seed } = world;
  const readConfig = () => readFileSync(join(world.folders.home, '.config', 'telctl', 'config.json'), 'utf8');
  const login = (...argv: readonly string[]) =>
    world.telctl(['login', ...argv, '--api-key-stdin'], { stdin: seed.apiKey });
  const first = readConfig();
  expect((await login('--base-url', other)).code).toBe(0);
  expect(JSON.parse(readConfig()).profiles).toMatchObject({
    test: JSON.parse(first).profiles.test,
    default: { baseUrl: other },
  });
  const kept = readConfig();
  const third = await login('--base-url', url.replace('8000', '8001'));
  expect([third.code, third.requests], third.stderr).toEqual([2, []]);
  expect(third.stderr).toContain('--profile NAME');
  expect(readConfig()).toBe(kept);
});

test('a profile does not accept a sign-in to another account', async () => {
  const world = await openWorld();
  rmSync(tokenFolder(world), { recursive: true });
  const run = await world.telctl('users list --profile test', {
    faults: [
      {
        path: /api_auth$/,
        fault: { kind: 'rewrite', change: (body) => body.replaceAll(world.seed.accountId, 'f'.repeat(32)) },
      },
    ],
  });
  expect([run.code, run.requests.length], run.stderr).toEqual([4, 1]);
});
