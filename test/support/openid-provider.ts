import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type ClientMetadata } from 'oidc-provider';
import { onTestFinished } from 'vitest';

/** A certified local OpenID Connect provider in memory that accepts any name. */
export interface OpenIdProvider {
  readonly issuer: string;
  readonly discovery: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Signs in over HTTP like a browser, and returns the redirect address. */
  signIn(address: string, login: string): Promise<string>;
}

const clientId = 'acme-cli';
const clientSecret = 'a-secret-of-the-application-at-its-provider';
const client: ClientMetadata = {
  client_id: clientId,
  client_secret: clientSecret,
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1/callback'],
  grant_types: ['authorization_code'],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_basic',
};

/** Starts a provider that stops with the test. */
export async function openIdProvider(): Promise<OpenIdProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${Object(server.address()).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    clients: [client],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', use: 'sig', alg: 'RS256' }] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['keys of cookies'] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        email: `${accountId}@mail.example`,
        email_verified: true,
        name: `Name of ${accountId}`,
      }),
    }),
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) void handleInteraction(provider, request, response);
    else void answer(request, response);
  });
  return {
    issuer,
    discovery: `${issuer}/.well-known/openid-configuration`,
    clientId,
    clientSecret,
    signIn: (address, login) => signInOverHttp(issuer, address, login),
  };
}

async function handleInteraction(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (request.method !== 'POST') {
    const field = prompt.name === 'login' ? '<label>Name <input name="login" required></label>' : '';
    const hidden = `<input type="hidden" name="prompt" value="${prompt.name}">`;
    const form = `<form method="post" action="${request.url}">${hidden}${field}<button>Continue</button></form>`;
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Sign in</title>${form}`);
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  if (prompt.name === 'login') {
    const accountId = new URLSearchParams(Buffer.concat(chunks).toString()).get('login') ?? '';
    await provider.interactionFinished(request, response, { login: { accountId } });
    return;
  }
  const grant = new provider.Grant({
    accountId: String(session?.accountId),
    clientId: String(params.client_id),
  });
  grant.addOIDCScope('openid email profile');
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
}

/** Follows redirects and fills in sign-in and consent until the provider redirects to the application. */
async function signInOverHttp(issuer: string, begin: string, login: string): Promise<string> {
  const jar = new Map<string, string>();
  let request = new Request(begin);
  for (let pages = 0; pages < 12; pages += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(new Request(request, { headers: { cookie }, redirect: 'manual' }));
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const text = await reply.text();
    const to = reply.headers.get('location');
    if (to !== null) {
      const next = new URL(to, request.url);
      if (next.origin !== issuer) return next.href;
      request = new Request(next);
    } else {
      const [, prompt] = /name="prompt" value="(\w+)"/.exec(text) ?? [];
      const [, action] = /action="([^"]+)"/.exec(text) ?? [];
      if (prompt === undefined || action === undefined) throw new Error(`No form: ${reply.status} ${text}`);
      const body = new URLSearchParams({ prompt, login });
      request = new Request(new URL(action, request.url), { method: 'POST', body });
    }
  }
  throw new Error('The provider redirects endlessly.');
}
