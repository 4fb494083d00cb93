import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { seededRandom, turnedClock } from '../../../test/support/clock.ts';
import { operationById } from '../../contract/catalogue.ts';
import type { ApiParts } from './api.ts';
import { createApi } from './create-api.ts';
import { rateLimiters } from './rate-limiter.ts';
import { connectionFailure, type HttpRequest } from './transport.ts';

/** A reply by its status and body; or none, since the connection was reset. */
type Answer =
  | readonly [status: number, body?: string | Iterable<Buffer>, headers?: Readonly<Record<string, string>>]
  | 'lost';

const user = [200, '{"status":"success","data":{"id":"u1"},"request_id":"r1"}'] as const;
const users: Answer = [200, '{"status":"success","data":[]}'];
const error = (status: number, code: string): Answer => [status, `{"status":"error","message":"${code}"}`];

const calls = {
  list: { operation: operationById('users.list') },
  get: { operation: operationById('users.get'), path: { user_id: 'u1' } },
  create: { operation: operationById('users.create'), data: { username: 'ann' } },
  set: { operation: operationById('users.patch'), path: { user_id: 'u1' }, data: { username: 'ann' } },
  delete: { operation: operationById('users.delete'), path: { user_id: 'u1' } },
};
const changes = [calls.create, calls.set, calls.delete];

/** A client of a service that gives each request the next answer, the last one again and again. */
function client(answers: readonly Answer[], parts: Partial<ApiParts> = {}) {
  const sent: HttpRequest[] = [];
  const renewed: string[] = [];
  const clock = turnedClock();
  const limiters = rateLimiters(clock, seededRandom(), () => undefined);
  const api = createApi({
    transport: {
      async send(request) {
        const answer = answers[Math.min(sent.length, answers.length - 1)] ?? 'lost';
        sent.push(request);
        if (answer === 'lost')
          throw connectionFailure(request.url, Object.assign(new Error(), { code: 'ECONNRESET' }));
        const [status, body = '', headers = {}] = answer;
        return {
          status,
          headers: { 'content-type': 'application/json', ...headers },
          body: Readable.from(typeof body === 'string' ? [Buffer.from(body)] : body),
        };
      },
      close: () => Promise.resolve(),
    },
    baseUrl: 'https://api.example',
    prefix: '/v2',
    accountId: 'acc',
    authorizer: {
      token: async () => 'old',
      renew: async (rejected) => {
        renewed.push(rejected);
        return 'new';
      },
    },
    clock,
    random: seededRandom(),
    limiters,
    timeoutMs: 5000,
    retries: 2,
    userAgent: 'telctl/test',
    ...parts,
  });
  const tokens = () => sent.map(({ headers }) => headers['x-auth-token']);
  return { api, sent, tokens, renewed, limiters, clock };
}

test('sends the user agent with every request', async () => {
  const { api, sent } = client([user]);
  await api.call(calls.get);
  expect(sent.map(({ headers }) => headers['user-agent'])).toEqual(['telctl/test']);
});

test('renews a rejected token once and resends the request', async () => {
  const healed = client([error(401, 'invalid_credentials'), user]);
  expect((await healed.api.call(calls.get)).status).toBe(200);
  expect([healed.tokens(), healed.renewed]).toEqual([['old', 'new'], ['old']]);
  const refused = client([error(401, 'invalid_credentials')]);
  await expect(refused.api.call(calls.get)).rejects.toMatchObject({ kind: 'auth', status: 401 });
  expect(refused.tokens()).toEqual(['old', 'new']);
});

test('sends a request once and keeps the token on 403', async () => {
  const { api, tokens, renewed } = client([error(403, 'forbidden'), user]);
  await expect(api.call(calls.get)).rejects.toMatchObject({ kind: 'auth', status: 403 });
  expect([tokens(), renewed]).toEqual([['old'], []]);
});

test.each(changes)('resends $operation.id after a 429', async (call) => {
  const { api, sent, limiters } = client([error(429, 'too_many_requests'), user]);
  expect((await api.call(call)).status).toBe(200);
  expect(sent).toHaveLength(2);
  // All that goes with the same token is held back with it.
  expect(limiters.of('https://api.example', 'old').met().refused).toBe(1);
});

test.each(changes)(
  'refuses $operation.id for a read-only profile and in a dry run, without sending it',
  async (call) => {
    const readOnly = client([user], { readOnly: 'test' });
    await expect(readOnly.api.call(call)).rejects.toMatchObject({ kind: 'refused' });
    const dry = client([user], { dryRun: true });
    await expect(dry.api.call(call)).rejects.toThrow('would be sent in a dry run');
    expect([...readOnly.sent, ...dry.sent]).toEqual([]);
  },
);

test('allows reads for a read-only profile and in a dry run', async () => {
  for (const parts of [{ readOnly: 'test' }, { dryRun: true }])
    expect((await client([users], parts).api.call(calls.list)).data).toEqual([]);
});

test('treats a 404 on a delete as success only if the first response was lost', async () => {
  const missing = error(404, 'bad_identifier');
  await expect(client([missing]).api.call(calls.delete)).rejects.toMatchObject({ kind: 'not_found' });
  expect((await client(['lost', missing]).api.call(calls.delete)).data).toEqual({});
  await expect(client(['lost', missing]).api.call(calls.get)).rejects.toMatchObject({ kind: 'not_found' });
});

test('fails on a redirect and names its target', async () => {
  const location = 'https://elsewhere.example/v2';
  for (const status of [301, 302, 303, 307, 308]) {
    const { api, sent } = client([[status, '', { location }]]);
    await expect(api.call(calls.get)).rejects.toThrow('elsewhere.example');
    expect(sent).toHaveLength(1);
  }
});

test('gives up on an endless response and on a slow one', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, ' ');
  let came = 0;
  const flood = function* () {
    for (; came < 80; came += 1) yield megabyte;
  };
  await expect(client([[200, flood()]]).api.call(calls.get)).rejects.toThrow('more than 64 MB');
  expect(came).toBeLessThan(80);
  const clock = turnedClock();
  const drops = function* () {
    for (const byte of Buffer.from(user[1])) {
      clock.turn(1000);
      yield Buffer.of(byte);
    }
  };
  const slow = client([[200, drops()]], { clock, retries: 0 });
  await expect(slow.api.call(calls.get)).rejects.toThrow('not complete in time');
});
