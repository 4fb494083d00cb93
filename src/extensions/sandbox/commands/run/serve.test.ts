import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import {
  authority,
  clientCert,
  clientKey,
  localhostCert,
  serverCert,
  serverKey,
} from '../../../../../test/support/certificates.ts';
import { serveSandbox } from '../../../../../test/support/served-sandbox.ts';
import { openWorld, testFolders } from '../../../../../test/support/world.ts';
import { isObject, type JsonObject } from '../../../../base/json.ts';
import { verifiedAddress } from '../../running-state.ts';
import { sandboxPathsOf } from '../../sandbox-paths.ts';

const apiKey = 'a1'.repeat(32);
const controlKey = 'k3y-of-the-sandbox-'.repeat(2);

/** Files in a folder of the test, by their names. */
function written(files: Readonly<Record<string, string>>): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'telctl-serve-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return (name) => join(folder, name);
}

/** A sandbox that others than this machine reach, as far as it knows. */
async function shared(...args: readonly string[]) {
  const file = written({
    api: `${apiKey}\n`,
    control: `${controlKey}\n`,
    cert: serverCert,
    key: serverKey,
    ca: authority,
  });
  const served = await serveSandbox(
    ...[
      '--allow-host',
      'sandbox.acme.example',
      '--api-key-file',
      file('api'),
      '--control-key-file',
      file('control'),
    ],
    ...args.map((word) => (['cert', 'key', 'data'].includes(word) ? file(word) : word)),
  );
  return { ...served, file, baseUrl: served.state().baseUrl };
}

interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

/** Asks past `fetch`, which chooses the Host header itself. */
function ask(
  url: string,
  { method = 'GET', headers = {}, body }: Asking = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? secure : plain;
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(
      url,
      { method, agent: false, ca: authority, headers: { ...json, ...headers } },
      (reply) => {
        let text = '';
        reply.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`me:${password}`).toString('base64')}`,
});

test('a shared sandbox accepts its host names, shows its page to holders of its key, and logs no keys', async () => {
  const { baseUrl, log, end } = await shared('--memory', '--listen', '127.0.0.1');
  const named = (host: string) => ask(`${baseUrl}/v2/webhooks`, { headers: { host } });
  expect((await named('sandbox.acme.example')).status).toBe(401);
  expect((await named('Sandbox.acme.example:8443')).status).toBe(401);
  expect((await named('evil.example')).status).toBe(403);
  expect((await named('sandbox.acme.example.evil.example')).status).toBe(403);
  const host = 'sandbox.acme.example';
  for (const [origin, status] of [
    ['https://sandbox.acme.example', 401],
    ['https://evil.example', 403],
  ] as const)
    expect((await ask(`${baseUrl}/v2/webhooks`, { headers: { host, origin } })).status, origin).toBe(status);

  expect(await ask(`${baseUrl}/sandbox/health`, { headers: { host: '10.1.2.3:80' } })).toEqual({
    status: 200,
    text: '{"status":"ok"}',
  });
  for (const path of [
    '/sandbox/log',
    '/sandbox/overview',
    '/sandbox/log/follow',
    '/sandbox/accounts/find?account=acme',
  ])
    expect((await ask(baseUrl + path)).status, path).toBe(403);
  expect((await ask(`${baseUrl}/`)).status).toBe(401);
  expect((await ask(`${baseUrl}/`, { headers: basic('wrong') })).status).toBe(401);
  expect((await ask(`${baseUrl}/`, { headers: basic(controlKey) })).text).toContain('<title>acme');
  // What changes the sandbox never takes a key that a browser sends by itself.
  expect((await ask(`${baseUrl}/sandbox/seed`, { method: 'POST', headers: basic(controlKey) })).status).toBe(
    403,
  );

  const signedIn = await ask(`${baseUrl}/v2/api_auth`, {
    method: 'PUT',
    body: { data: { api_key: apiKey } },
  });
  expect(signedIn.status).toBe(201);
  const canary = 'c4nary-of-an-address';
  const names = [
    'key',
    'auth_token',
    'token',
    'access_token',
    'id_token',
    'api_key',
    'apiKey',
    'client_secret',
  ];
  for (const name of [...names, 'secret', 'password', 'code', 'a%75th_token', 'AUTH_TOKEN'])
    for (const path of ['/v2/webhooks', '/sandbox/log'])
      await ask(`${baseUrl}${path}?page_size=1&${name}=${canary}`);
  await end();
  const lines = log()
    .trim()
    .split('\n')
    .map((line): JsonObject => JSON.parse(line));
  expect(lines.map(({ event }) => event).filter((event) => event !== 'request')).toEqual([
    'started',
    'stopping',
    'stopped',
  ]);
  expect(lines).toContainEqual(
    expect.objectContaining({ event: 'request', path: '/v2/api_auth', status: 201, from: '127.0.0.1' }),
  );
  expect(lines).toContainEqual(expect.objectContaining({ path: '/sandbox/log', status: 403 }));
  for (const secret of [apiKey, controlKey, canary]) expect(log()).not.toContain(secret);
  expect(log()).toContain('?page_size=1&auth_token=••••••');
});

/** The serial number of the certificate that a server shows. */
const serialAt = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.on('error', reject);
  });

test('a renewed certificate is used while the sandbox runs, unless it does not match the key', async () => {
  const { baseUrl, file, state, log } = await shared('--memory', '--tls-cert', 'cert', '--tls-key', 'key');
  const first = await serialAt(baseUrl);
  writeFileSync(file('cert'), clientCert);
  await expect.poll(log).toContain('certificate_refused');
  expect(await serialAt(baseUrl)).toBe(first);
  writeFileSync(file('key'), clientKey);
  await expect.poll(() => serialAt(baseUrl)).not.toBe(first);
  expect(log()).toContain('certificate_renewed');
  expect(state().certificate).toBe(clientCert);
});

test('TLS works for commands on this machine, and with two variables for other machines', async () => {
  const { baseUrl, telctl, file, json } = await shared(
    '--data',
    'data',
    '--tls-cert',
    'cert',
    '--tls-key',
    'key',
  );
  expect(baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect((await ask(`${baseUrl}/sandbox/health`)).status).toBe(200);
  expect((await json('sandbox status')).base_url).toBe(baseUrl);
  expect((await telctl('sandbox snapshot save nightly')).code).toBe(0);
  // Its certificate vouches for itself in the profile that start signs in.
  const started = await telctl('sandbox start');
  expect(started.stderr).toContain(`already running at ${baseUrl}  (profile "sandbox"`);
  expect((await telctl('users list --profile sandbox -o name')).stdout).toBe('admin\n');
  expect((await telctl('sandbox env')).stdout).toContain('TELCTL_CA_FILE=');

  const folders = testFolders();
  const env = { TELCTL_SANDBOX_URL: baseUrl, TELCTL_SANDBOX_KEY: controlKey };
  const untrusted = await telctl('sandbox snapshot list', { env, folders });
  expect([untrusted.code, untrusted.stderr]).toEqual([
    75,
    expect.stringContaining('telctl cannot reach the sandbox'),
  ]);
  const trusting = { ...env, TELCTL_CA_FILE: file('ca') };
  const listed = await telctl('sandbox snapshot list -o name', { env: trusting, folders });
  expect([listed.code, listed.stdout], listed.stderr).toEqual([0, 'nightly\n']);
  const status = await telctl('sandbox status', { env: trusting, folders });
  expect(status.stdout).toContain('of TELCTL_SANDBOX_URL, running');
  const wrong = await telctl('sandbox status', {
    folders,
    env: { ...trusting, TELCTL_SANDBOX_KEY: 'x'.repeat(40) },
  });
  expect([wrong.code, wrong.stderr]).toEqual([
    9,
    expect.stringContaining('needs the control key of the sandbox'),
  ]);
  expect(wrong.stderr).not.toContain('xxxx');
});

test('wrong keys are counted, and correct keys are not', async () => {
  const { baseUrl } = await shared('--memory');
  const signIn = (key: string) =>
    ask(`${baseUrl}/v2/api_auth`, { method: 'PUT', body: { data: { api_key: key } } }).then(
      ({ status }) => status,
    );
  const right = await Promise.all(Array.from({ length: 25 }, () => signIn(apiKey)));
  expect(new Set(right)).toEqual(new Set([201]));
  const wrong: number[] = [];
  for (let tries = 0; tries < 32; tries += 1) wrong.push(await signIn(`b${tries}`.padEnd(64, '0')));
  expect([wrong.slice(0, 30), wrong.at(-1)]).toEqual([Array(30).fill(404), 429]);
  expect(await signIn(apiKey)).toBe(429);
  expect((await ask(`${baseUrl}/`, { headers: basic('wrong') })).status).toBe(429);
  // Who is signed in goes on.
  expect((await ask(`${baseUrl}/v2/webhooks`)).status).toBe(401);
});

test.each([
  ['--listen everywhere', '--listen must be an address of this machine'],
  ['--listen 0.0.0.0', '--allow-host is missing'],
  ['--allow-host https://sandbox.acme.example', '--allow-host must be a host name'],
  ['--tls-cert cert.pem', '--tls-key'],
  ['--tls-cert cert.pem --tls-key cert.pem', '--tls-cert: cert.pem not found'],
  ['--api-key-file short', 'at least 32 characters'],
])('sandbox serve %s is refused before anything listens', async (line, words) => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl(`sandbox serve --memory ${line}`, { files: { short: 'secret-but-short' } });
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(words)]);
  expect(run.stderr).not.toContain('secret-but-short');
});

test('keys that other users can read cause a warning, and are used', async () => {
  const world = await openWorld({ signIn: 'none' });
  const interrupted = AbortSignal.abort();
  const files = { api: apiKey, control: controlKey };
  const line = 'sandbox serve --memory --no-log --api-key-file api --control-key-file control';
  for (const mode of [0o644, 0o600]) {
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(world.folders.cwd, name), text, { mode: 0o600 });
    for (const name of Object.keys(files)) chmodSync(join(world.folders.cwd, name), mode);
    const { stderr } = await world.telctl(line, { interrupted });
    expect(
      stderr.match(/Others may read the secrets in \S+\/(?:api|control) \(mode 0644\)/g) ?? [],
    ).toHaveLength(mode === 0o644 ? 2 : 0);
  }
});

test('twenty simultaneous jobs work in separate accounts and leave no records', async () => {
  const { baseUrl, json, telctl: anywhere } = await shared('--memory');
  const job = async (number: number): Promise<string> => {
    const env = { TELCTL_BASE_URL: baseUrl, TELCTL_API_KEY: apiKey };
    const folders = testFolders();
    const telctl = async (line: string, stdin?: string) => {
      const run = await anywhere(line, { env, folders, ...(stdin === undefined ? {} : { stdin }) });
      if (run.code !== 0) throw new Error(`${line}: ${run.stderr}`);
      return run.stdout;
    };
    const name = `ci-${number}`;
    await telctl(`accounts create --name ${name} --realm ${name}.acme.example`);
    const user = { username: `u${number}`, first_name: 'A', last_name: 'B', password: 'first-sign-in' };
    const made = await telctl(`users create -f - -o json --account ${name}`, JSON.stringify(user));
    await telctl(`accounts delete ${name} --confirm ${name}`);
    return JSON.parse(made).username;
  };
  const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
  const seen = await Promise.all(numbers.map(job));
  expect(seen).toEqual(numbers.map((number) => `u${number}`));
  const left: unknown = await json('accounts list');
  expect(
    Array.isArray(left) ? left.filter((each) => isObject(each) && /^ci-/.test(String(each.name))) : left,
  ).toEqual([]);
});

test('a profile reaches a sandbox by the name of this machine in its certificate', async () => {
  const paths = sandboxPathsOf({ folders: { config: '/c', cache: '/k', state: '/s' } }, 'x');
  const known = (certificate?: string) =>
    verifiedAddress({ baseUrl: 'https://127.0.0.1:8443', ...(certificate ? { certificate } : {}) }, paths);
  expect(await known(serverCert)).toEqual({ baseUrl: 'https://127.0.0.1:8443', caFile: paths.certificate });
  expect(await known(localhostCert)).toEqual({
    baseUrl: 'https://localhost:8443',
    caFile: paths.certificate,
  });
  expect([await known(clientCert), await known()]).toEqual([
    undefined,
    { baseUrl: 'https://127.0.0.1:8443' },
  ]);
});
