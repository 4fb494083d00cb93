import type { FastifyInstance } from 'fastify';
import { timers } from '../../src/base/host/real-host.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../src/base/json.ts';
import { buildSandbox } from '../../src/extensions/sandbox/app.ts';
import type { SandboxMode } from '../../src/extensions/sandbox/differences.ts';
import { makeSigningKey, type SigningKey } from '../../src/extensions/sandbox/identity/authority.ts';
import { credentialDigests } from '../../src/extensions/sandbox/ids-and-secrets.ts';
import type { Seed } from '../../src/extensions/sandbox/running-state.ts';
import { seedSandbox } from '../../src/extensions/sandbox/seed.ts';
import type { SandboxParts, Services } from '../../src/extensions/sandbox/services.ts';
import { openStore } from '../../src/extensions/sandbox/store/sqlite-store.ts';
import type { Store, StoreChange } from '../../src/extensions/sandbox/store/store.ts';
import { seededRandom, type TurnedClock, turnedClock } from './clock.ts';
import { addValidatingProxy } from './validating-proxy.ts';

export interface SandboxReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Empty if the body is not a JSON object. */
  readonly body: JsonObject;
  readonly data: Json | undefined;
  readonly text: string;
  /** Returns the text at a dotted path of the body. Throws if there is none. */
  at(path: string): string;
}

export interface Sending {
  readonly token?: string;
  readonly data?: Json;
  /** The whole body, instead of `{ data }`. */
  readonly body?: Json | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A sandbox that a test calls, with its clock. */
export interface CalledSandbox {
  readonly app: FastifyInstance;
  readonly store: Store;
  readonly clock: TurnedClock;
  readonly seed: Seed;
  /** Serves the same accounts and records like another service. */
  answeringLike(like: SandboxMode | undefined): FastifyInstance;
  call(method: string, path: string, sending?: Sending): Promise<SandboxReply>;
  /** Calls the default sandbox with the same records, for records that a service cannot create. */
  callUsually(method: string, path: string, sending?: Sending): Promise<SandboxReply>;
  /** Returns a token of a user, signed in by MD5. */
  tokenOf(username: string, password: string, accountName?: string): Promise<string>;
  adminToken(): Promise<string>;
  superToken(): Promise<string>;
  keyToken(apiKey?: string): Promise<string>;
}

// Generating a key pair is slow, so the tests of one file share one.
let signingKey: Promise<SigningKey> | undefined;

/** Tokens of seeded users. Equal sandboxes issue equal tokens in the same second. */
const seededTokens = new Map<string, string>();

/** Keeps tokens of seeded users until those change. Signing a token takes longer than a request. */
function createTokenCache(store: Store, clock: TurnedClock, { masterAccountId, accountId }: Seed) {
  let kept = seededTokens;
  const invalidatesTokens = (change: StoreChange): boolean => {
    if (change.change === 'setting') return true;
    if (change.change !== 'put' && change.change !== 'remove') return false;
    const { kind, id } = change.record;
    if (kind === 'accounts') return id === masterAccountId || id === accountId;
    if (kind !== 'users') return kind === 'security';
    return change.change === 'remove' || ['admin', 'super'].includes(String(change.record.body.username));
  };
  store.watch((changes) => {
    if (changes.length === 0 || changes.some(invalidatesTokens)) kept = new Map();
  });
  return async (secret: string, signIn: () => Promise<string>): Promise<string> => {
    const key = `${accountId} ${secret} ${Math.floor(clock.now() / 1000)}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const into = kept;
    const token = await signIn();
    into.set(key, token);
    return token;
  };
}

function parseReply(status: number, headers: Readonly<Record<string, unknown>>, text: string): SandboxReply {
  // KAZOO sends some errors without a content type, or with that of the requested vCard.
  const parsed: unknown = text.startsWith('{') ? JSON.parse(text) : undefined;
  const body = isObject(parsed) ? parsed : {};
  return {
    status,
    headers,
    body,
    data: body.data,
    text,
    at(path) {
      const value = valueAt(body, path);
      if (typeof value === 'string') return value;
      throw new Error(`The reply has no text at ${path}: ${text}`);
    },
  };
}

/** Creates a sandbox in memory with a fixed clock. Its responses are checked against the contract. */
export async function calledSandbox(
  parts: Partial<Omit<SandboxParts, 'clock'>> = {},
  machine: { readonly clock?: TurnedClock; readonly services?: Services } = {},
): Promise<CalledSandbox> {
  const clock = machine.clock ?? turnedClock();
  const random = parts.random ?? seededRandom(7);
  const store = parts.store ?? openStore(':memory:');
  signingKey ??= makeSigningKey('0'.repeat(32));
  const seed = await seedSandbox(store, { clock, random, signingKey: await signingKey });
  const made = { version: '5.0.0', checkReplies: true, ...parts, random, store, clock, timers };
  const app = buildSandbox(made, machine.services);
  addValidatingProxy(app, made.like);

  const send = async (
    to: FastifyInstance,
    [method, path, { token, data, body, headers } = {}]: Parameters<CalledSandbox['call']>,
  ) => {
    const payload = body ?? (data === undefined ? undefined : { data });
    const response = await to.inject({
      method: method as 'GET',
      url: path,
      headers: {
        ...(token === undefined ? {} : { 'x-auth-token': token }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload === undefined
        ? {}
        : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    });
    return parseReply(response.statusCode, response.headers, response.body);
  };
  const call: CalledSandbox['call'] = (...request) => send(app, request);
  const answeringLike: CalledSandbox['answeringLike'] = (like) => {
    const other = buildSandbox({ ...made, like });
    addValidatingProxy(other, like);
    return other;
  };
  let usual = made.like === undefined ? app : undefined;
  const tokenOf: CalledSandbox['tokenOf'] = async (username, password, accountName = 'acme') => {
    const credentials = credentialDigests(username, password).md5;
    const data = { credentials, account_name: accountName };
    return (await call('PUT', '/v2/user_auth', { data })).at('auth_token');
  };
  const keptToken = createTokenCache(store, clock, seed);
  return {
    app,
    store,
    clock,
    seed,
    answeringLike,
    call,
    callUsually: (...request) => {
      usual ??= answeringLike(undefined);
      return send(usual, request);
    },
    tokenOf,
    adminToken: () => keptToken(seed.adminPassword, () => tokenOf('admin', seed.adminPassword)),
    superToken: () => keptToken(seed.superPassword, () => tokenOf('super', seed.superPassword, 'platform')),
    keyToken: async (apiKey = seed.apiKey) =>
      (await call('PUT', '/v2/api_auth', { data: { api_key: apiKey } })).at('auth_token'),
  };
}
