import { onTestFinished } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { credentialDigests } from '../../src/extensions/sandbox/ids-and-secrets.ts';
import type { Seed } from '../../src/extensions/sandbox/running-state.ts';
import { listenAt } from '../../src/extensions/sandbox/server.ts';
import { type CalledSandbox, calledSandbox } from './called-sandbox.ts';

/** A sandbox in this process for real client processes. */
export interface ListeningForTests {
  readonly url: string;
  readonly seed: Seed;
  readonly store: CalledSandbox['store'];
  /** Environment variables that sign in by API key. */
  readonly keyEnv: Readonly<Record<string, string>>;
  /** Number of sign-in requests. */
  signIns(): number;
  revokeTokens(): Promise<void>;
  /** Leaves requests for such paths without a response from now on. */
  hold(path: RegExp): void;
  /** Resolves when a request is held. */
  readonly held: Promise<void>;
  /** Resolves when the custom response was sent. */
  readonly answered: Promise<void>;
}

/** Starts a sandbox with the real clock for the current test. */
export async function listen(
  options: {
    readonly hold?: RegExp;
    /** Replaces the response data for a path. */
    readonly answer?: { readonly path: RegExp; readonly data: Json };
  } = {},
): Promise<ListeningForTests> {
  const sandbox = await calledSandbox();
  const { app, seed, clock, store } = sandbox;
  clock.turn(Date.now() - clock.now());
  let signIns = 0;
  let holding = options.hold;
  const { promise: held, resolve: isHeld } = Promise.withResolvers<void>();
  const { promise: answered, resolve: isAnswered } = Promise.withResolvers<void>();
  const release = new AbortController();
  app.addHook('onRequest', async ({ url }, reply) => {
    const path = url.split('?')[0] ?? '';
    if (/\/(?:user_auth|api_auth)$/.test(path)) signIns += 1;
    if (options.answer?.path.test(path)) {
      reply.raw.once('finish', isAnswered);
      return reply.send({ data: options.answer.data, status: 'success' });
    }
    if (!holding?.test(path)) return;
    isHeld();
    await new Promise<void>((resolve) => release.signal.addEventListener('abort', () => resolve()));
  });
  const server = await listenAt(app, { port: 0 });
  onTestFinished(async () => {
    release.abort();
    app.server.closeAllConnections();
    await server.close();
  });
  return {
    url: server.baseUrl,
    seed,
    store,
    keyEnv: { TELCTL_BASE_URL: server.baseUrl, TELCTL_API_KEY: seed.apiKey },
    signIns: () => signIns,
    async revokeTokens() {
      const put = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
        const reply = await fetch(server.baseUrl + path, {
          method: 'PUT',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        });
        if (!reply.ok) throw new Error(await reply.text());
        return Object(await reply.json());
      };
      const { md5: credentials } = credentialDigests(seed.superUsername, seed.superPassword);
      const signedIn = await put('/v2/user_auth', { data: { credentials, account_name: 'platform' } });
      const token = { 'x-auth-token': String(signedIn.auth_token) };
      await put('/v2/auth', { action: 'reset_signature_secret', data: {} }, token);
    },
    hold(path) {
      holding = path;
    },
    held,
    answered,
  };
}
