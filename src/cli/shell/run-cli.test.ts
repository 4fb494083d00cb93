import { Readable, Writable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { seededRandom, turnedClock } from '../../../test/support/clock.ts';
import {
  fakeHost,
  type Machine,
  makeFolders,
  type TestFolders,
  writeFiles,
} from '../../../test/support/fake-host.ts';
import type { Json } from '../../base/json.ts';
import type { HttpReply, HttpRequest, Transport } from '../../client/api/transport.ts';
import { runCli } from './run-cli.ts';

const open: TestFolders[] = [];
afterEach(() => {
  for (const folders of open.splice(0)) folders.remove();
});

const accountId = 'a'.repeat(32);
const alice = { id: 'b'.repeat(32), username: 'alice', first_name: 'Alice', password: 'hunter2' };

/** A service of a few answers: by method and path, else 404. */
function service(answers: Readonly<Record<string, readonly [status: number, body: Json]>>) {
  const requests: HttpRequest[] = [];
  const transport: Transport = {
    async send(request): Promise<HttpReply> {
      requests.push(request);
      const [status, body] = answers[`${request.method} ${request.url.pathname}`] ?? [
        404,
        { status: 'error', error: '404', message: 'bad_identifier', data: {}, request_id: 'req1' },
      ];
      return {
        status,
        headers: { 'content-type': 'application/json' },
        body: Readable.from([JSON.stringify(body)]),
      };
    },
    async close() {},
  };
  return { requests, transport };
}

const users = `/v2/accounts/${accountId}/users`;
const ok = (data: Json): readonly [number, Json] => [200, { status: 'success', data, request_id: 'req1' }];

/** A profile `test` with a token that is good for an hour. */
function signedIn(folders: TestFolders, profile: Readonly<Record<string, Json>> = {}): void {
  const clock = turnedClock();
  const stored = {
    baseUrl: 'http://127.0.0.1:8000',
    prefix: '/v2',
    method: 'api-key',
    accountId,
    accountName: 'acme',
  };
  writeFiles(folders.home, {
    '.config/telctl/config.json': JSON.stringify({
      default: 'test',
      profiles: { test: { ...stored, ...profile } },
    }),
    '.config/telctl/tokens/test.json': JSON.stringify({
      token: 't',
      issuedAtMs: clock.now(),
      expiresAtMs: clock.now() + 3_600_000,
    }),
  });
}

async function run(
  argv: readonly string[],
  answers: Parameters<typeof service>[0] = {},
  options: { profile?: Readonly<Record<string, Json>> } & Partial<Machine> = {},
) {
  const folders = makeFolders();
  open.push(folders);
  const { profile, ...machine } = options;
  signedIn(folders, profile);
  const { host, stdout, stderr } = fakeHost({
    folders,
    clock: turnedClock(),
    random: seededRandom(),
    ...machine,
  });
  const { transport, requests } = service(answers);
  const code = await runCli(argv, host, { transport });
  return { code, stdout: stdout(), stderr: stderr(), requests, folders };
}

describe('the exit code', () => {
  test('is 0 for help and the version, on stdout', async () => {
    for (const argv of [
      ['--help'],
      [],
      ['users'],
      ['users', 'list', '-h'],
      ['--version'],
      ['help', 'exit-codes'],
    ]) {
      const { code, stdout, stderr } = await run(argv);
      expect({ argv, code, stderr, empty: stdout === '' }).toEqual({
        argv,
        code: 0,
        stderr: '',
        empty: false,
      });
    }
  });

  test('is 2 for an invalid command, with one sentence on stderr', async () => {
    const { code, stdout, stderr } = await run(['users', 'lst']);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: 'telctl users has no verb "lst". Did you mean "list"?\n',
    });
  });

  test('is that of the failure, whose message includes the request', async () => {
    const { code, stderr } = await run(['users', 'get', 'b'.repeat(32)]);
    expect(code).toBe(5);
    expect(stderr).toContain('req1');
  });

  test('comes with one JSON object on stderr if JSON output is requested', async () => {
    for (const argv of [
      ['users', 'lst', '-o', 'json'],
      ['--output=ndjson', 'users', 'lst'],
      ['users', 'lst', '-ojson'],
    ]) {
      const { stderr } = await run(argv);
      expect(JSON.parse(stderr)).toEqual({
        error: { kind: 'usage', message: 'telctl users has no verb "lst". Did you mean "list"?' },
      });
    }
  });

  test('is 2 for an invalid query, before any request', async () => {
    const { code, stderr, requests } = await run(['users', 'list', '--query', '[?x ==']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toMatch(/--query is not a JMESPath expression: error at character \d+/);
  });
});

describe('a result', () => {
  test('is masked by the contract, and revealed on request', async () => {
    const answers = { [`GET ${users}/${alice.id}`]: ok(alice) };
    const masked = await run(['users', 'get', alice.id, '-o', 'json'], answers);
    expect(masked.code).toBe(0);
    expect(JSON.parse(masked.stdout)).toMatchObject({ username: 'alice' });
    expect(masked.stdout).not.toContain('hunter2');
    expect((await run(['users', 'get', alice.id, '-o', 'json', '--reveal'], answers)).stdout).toContain(
      'hunter2',
    );
  });

  test('is not a failure if the reader closes the pipe', async () => {
    const folders = makeFolders();
    open.push(folders);
    signedIn(folders);
    const { host } = fakeHost({ folders, clock: turnedClock(), random: seededRandom() });
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    });
    const { transport } = service({ [`GET ${users}`]: ok([alice]) });
    expect(await runCli(['users', 'list', '-o', 'ndjson'], { ...host, stdout }, { transport })).toBe(0);
  });
});

describe('a protected profile', () => {
  test('allows only reads if it is read-only, and fails before any request', async () => {
    const profile = { protect: 'read-only' };
    expect((await run(['users', 'list'], { [`GET ${users}`]: ok([]) }, { profile })).code).toBe(0);
    const { code, stderr, requests } = await run(
      ['users', 'create', '--username', 'x', '--yes'],
      {},
      { profile },
    );
    expect({ code, requests }).toEqual({ code: 9, requests: [] });
    expect(stderr).toContain('Profile "test" is read-only');
  });

  test('accepts --yes if it requires confirmation, and fails without a terminal', async () => {
    const profile = { protect: 'confirm' };
    const argv = ['users', 'create', '--username', 'alice'];
    const refused = await run(argv, {}, { profile });
    expect({ code: refused.code, requests: refused.requests }).toEqual({ code: 2, requests: [] });
    expect(refused.stderr).toContain('--yes');
    const answers = { [`PUT ${users}`]: [201, { status: 'success', data: alice }] as const };
    expect((await run([...argv, '--yes'], answers, { profile })).code).toBe(0);
  });
});

test('the debug output of an unexpected error contains no secrets', async () => {
  const secrets = {
    TELCTL_TOKEN: 'short-token',
    TELCTL_API_KEY: 'a1'.repeat(32),
    TELCTL_PASSWORD: 'correct horse',
  };
  const others = ['eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl', '0123456789abcdef'.repeat(2)];
  const folders = makeFolders();
  open.push(folders);
  signedIn(folders);
  const env = { ...secrets, TELCTL_BASE_URL: 'http://127.0.0.1:1' };
  const { host, stderr } = fakeHost({ folders, clock: turnedClock(), random: seededRandom(), env });
  const transport: Transport = {
    send: () => Promise.reject(new TypeError(`odd: ${[...Object.values(secrets), ...others].join(' | ')}`)),
    close: () => Promise.resolve(),
  };
  expect(await runCli(['users', 'list', '-v'], host, { transport })).toBe(1);
  expect(stderr()).toContain('odd: ');
  for (const secret of [...Object.values(secrets), ...others]) expect(stderr()).not.toContain(secret);
});

test('an unexpected error is reported as a bug, with details only on request', async () => {
  for (const [argv, tells] of [
    [['users', 'list'], false],
    [['users', 'list', '-v'], true],
  ] as const) {
    const folders = makeFolders();
    open.push(folders);
    signedIn(folders);
    const { host, stderr } = fakeHost({ folders, clock: turnedClock(), random: seededRandom() });
    const transport: Transport = {
      send: () => Promise.reject(new TypeError('odd words')),
      close: () => Promise.resolve(),
    };
    expect(await runCli(argv, host, { transport })).toBe(1);
    expect(stderr()).toContain('This is a bug in telctl');
    expect(stderr().includes('odd words')).toBe(tells);
  }
});
