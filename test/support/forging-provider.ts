import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

/** How the next ID token differs from a valid one. */
export interface Forgery {
  readonly claims?: JWTPayload;
  /** Signed with another key under the key id of the provider. */
  readonly foreignKey?: boolean;
}

/** A local provider that accepts any code once and can forge tokens. */
export interface ForgingProvider {
  readonly issuer: string;
  readonly discovery: string;
  forge(forgery: Forgery): void;
  /** Returns a code for a person, bound to a PKCE challenge if one is given. */
  code(person: { readonly sub: string; readonly nonce?: string; readonly challenge?: string }): string;
  /** Returns an ID token. */
  token(claims: JWTPayload, forgery?: Forgery): Promise<string>;
}

const keys = [generateKeyPair('RS256'), generateKeyPair('RS256')] as const;

/** Starts a provider that stops with the test. */
export async function forgingProvider(clientId: string): Promise<ForgingProvider> {
  const [own, foreign] = await Promise.all(keys);
  const codes = new Map<string, { readonly claims: JWTPayload; readonly challenge: string | undefined }>();
  let next: Forgery = {};

  const sign: ForgingProvider['token'] = (claims, { claims: forged, foreignKey } = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: issuer, aud: clientId, iat: now, exp: now + 300 };
    return new SignJWT({ ...usual, ...claims, ...forged })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(foreignKey === true ? foreign.privateKey : own.privateKey);
  };
  const redeem = async (form: URLSearchParams) => {
    const code = form.get('code') ?? '';
    const known = codes.get(code);
    codes.delete(code);
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!known || (known.challenge !== undefined && known.challenge !== proof)) return undefined;
    return {
      access_token: 'a',
      token_type: 'Bearer',
      scope: 'openid email',
      id_token: await sign(known.claims, next),
    };
  };

  const server = createServer(async (request, response) => {
    const respond = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const { pathname } = new URL(request.url ?? '/', issuer);
    if (pathname === '/.well-known/openid-configuration') {
      respond(200, {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
    } else if (pathname === '/jwks') {
      respond(200, { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] });
    } else {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const tokens = await redeem(new URLSearchParams(Buffer.concat(chunks).toString()));
      if (tokens) respond(200, tokens);
      else respond(400, { error: 'invalid_grant' });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${Object(server.address()).port}`;
  return {
    issuer,
    discovery: `${issuer}/.well-known/openid-configuration`,
    forge(forgery) {
      next = forgery;
    },
    code({ sub, nonce, challenge }) {
      const code = `code-${sub}-${codes.size}`;
      const claims = { sub, email: `${sub}@mail.example`, email_verified: true, name: `Name of ${sub}` };
      codes.set(code, { claims: nonce === undefined ? claims : { ...claims, nonce }, challenge });
      return code;
    },
    token: sign,
  };
}
