import { apiKey, signIn, tokenInformation } from '../envelope.ts';
import { object, openObject, text } from '../fields.ts';
import { type OperationFacts, operation } from '../operations.ts';
import { resource } from '../resource.ts';

const common = {
  resource: 'tokens',
  section: 'Endpoints, Authentication and tokens',
  errors: 'legacy',
  prefix: 'always',
} as const;

const documented = (facts: Omit<OperationFacts, 'source'>) =>
  operation(common, { ...facts, source: 'specification' });

/** Signing in and inspecting tokens changes nothing that dry runs and read-only profiles protect. */
const look = { effect: 'read', repeat: 'safe' } as const;
const once = { effect: 'read', repeat: 'never' } as const;
const reset = {
  method: 'PUT',
  effect: 'destructive',
  repeat: 'never',
  body: { kind: 'action', action: 'reset_signature_secret' },
  reply: { kind: 'empty' },
} as const;
const signedIn = { kind: 'value', schema: signIn } as const;
const information = { kind: 'value', schema: tokenInformation } as const;

const token = text('A token', { secret: true });

const credentials = object(
  {
    credentials: text('Hex digest of "<username>:<password>", the username in lower case', {
      secret: true,
      convention: { minLength: 1, maxLength: 64 },
    }),
    method: text('Digest', { enum: ['md5', 'sha'], default: 'md5' }),
    account_name: text('Name of the account', { convention: { minLength: 1, maxLength: 128 } }),
    account_realm: text('Realm of the account', {
      convention: { minLength: 4, maxLength: 253, pattern: '^[.\\w_-]+$' },
    }),
    phone_number: text('A number of the account', { convention: { minLength: 1, maxLength: 64 } }),
  },
  'A user, named by exactly one of account_name, account_realm and phone_number',
);

const recovery = {
  source: 'convention',
  section: 'Conventions, sign-in, recovery',
  path: '/user_auth/recovery',
} as const;

const forgotten = object(
  {
    username: text('Who forgot it'),
    ui_url: text('Page of the web interface that the link opens'),
    account_name: text('Name of the account'),
    account_realm: text('Realm of the account'),
    phone_number: text('A number of the account'),
  },
  'Who forgot a password',
  { convention: { required: ['username', 'ui_url'] } },
);

const resetting = object(
  {
    reset_id: text('What the link ends in', {
      secret: true,
      convention: { pattern: '^[a-fA-F0-9]{40,250}$' },
    }),
  },
  'The link',
  { convention: { required: ['reset_id'] } },
);

/** `auth.callback`: what an SSO provider handed out (Resources and their fields, Authentication records). */
const callback = object(
  {
    client_id: text('Application id at the provider'),
    code: text('Access code from the provider', { secret: true }),
    provider: text('Provider', { ref: 'providers' }),
    redirect_uri: text('Where the provider sent the code'),
    state: text('State handed to the provider'),
    code_verifier: text("PKCE's verifier, for the exchange of the code", {
      source: 'convention',
      secret: true,
    }),
    nonce: text('Nonce that the ID token must carry', { source: 'convention' }),
  },
  'A sign-in at an SSO provider',
);

/** Tokens: sign-in, refresh, inspection, and the secrets that sign them (Authentication). */
export const tokens = resource({
  name: 'tokens',
  singular: 'token',
  summary: 'Sign-in, tokens and the secrets that sign them',
  kind: 'singleton',
  order: 200,
  naturalKeys: [],
  section: 'Authentication',
  schema: () => tokenInformation,
  required: [],
  unique: [],
  columns: [
    { header: 'ACCOUNT', paths: ['account_name'] },
    { header: 'ACCOUNT ID', paths: ['account_id'], show: 'id' },
    { header: 'USER ID', paths: ['owner_id'], show: 'id' },
    { header: 'LANGUAGE', paths: ['language'] },
  ],
  absent: {
    manifests: 'A token belongs to one person, for an hour',
    page: 'Tokens are not kept',
  },
  listFields: [],
  writes: ['sign-in'],
  operations: [
    documented({
      ...look,
      verb: 'user-auth',
      method: 'PUT',
      path: '/user_auth',
      authenticated: false,
      body: { kind: 'value', schema: credentials },
      reply: signedIn,
      summary: 'Sign in as a user',
    }),
    documented({
      ...look,
      verb: 'api-auth',
      method: 'PUT',
      path: '/api_auth',
      authenticated: false,
      body: { kind: 'value', schema: apiKey },
      reply: signedIn,
      summary: 'Sign in with an API key',
    }),
    documented({
      ...reset,
      verb: 'reset-system-secret',
      path: '/auth',
      role: 'super',
      asks: {
        name: 'host',
        effect: 'This signs out every user of every account at {name} (system signature secret).',
      },
      summary: 'End all tokens of the service',
    }),
    documented({
      ...reset,
      verb: 'reset-account-secret',
      path: '/accounts/{account_id}/auth',
      role: 'admin',
      asks: {
        name: 'account',
        effect:
          'This ends the tokens that were got with the API key of account {name}. Its users stay signed in: their tokens depend on secrets of their own (--everyone resets those, too).',
        yesAnswers: true,
      },
      summary: "End the tokens that were got with an account's API key; those of its users live on",
    }),
    documented({
      ...reset,
      verb: 'reset-user-secret',
      path: '/accounts/{account_id}/users/{user_id}/auth',
      role: 'self',
      asks: { name: 'user', effect: 'This signs {name} out everywhere.', yesAnswers: true },
      summary: 'End the tokens of a user',
    }),
    documented({
      ...look,
      verb: 'refresh',
      method: 'PUT',
      path: '/auth',
      body: { kind: 'action', action: 'refresh_token' },
      reply: signedIn,
      summary: 'Exchange a token for a new one',
    }),
    documented({
      ...once,
      verb: 'callback',
      tokenOptional: true,
      method: 'PUT',
      path: '/auth/callback',
      body: { kind: 'value', schema: callback },
      reply: information,
      summary: 'Sign in with a code from an SSO provider; nothing comes back while no link exists',
    }),
    documented({
      ...once,
      verb: 'authorize',
      tokenOptional: true,
      method: 'PUT',
      path: '/auth/authorize',
      body: {
        kind: 'value',
        schema: openObject(
          {
            token: text('Token of the provider', { source: 'convention', secret: true }),
            provider: text('Provider', { source: 'convention', ref: 'providers' }),
            app: text('Application that the token was made out to', { source: 'convention', ref: 'apps' }),
          },
          'A foreign token, and the provider or application that it is of',
        ),
      },
      reply: information,
      summary: 'Validate and authorize a foreign SSO token or application',
    }),
    operation(common, {
      ...{ ...recovery, verb: 'recover', method: 'PUT', tokenOptional: true, repeat: 'never' },
      body: { kind: 'value', schema: forgotten },
      reply: { kind: 'value', schema: text('What was sent, and where to') },
      summary: 'Send somebody who forgot a password a link to sign in once',
    }),
    operation(common, {
      ...{ ...recovery, verb: 'recovered', method: 'POST', tokenOptional: true, repeat: 'never' },
      body: { kind: 'value', schema: resetting },
      reply: signedIn,
      summary: 'Sign in by such a link',
    }),
    documented({
      verb: 'info-by-query',
      method: 'GET',
      path: '/auth/tokeninfo',
      query: [{ name: 'token', doc: 'Token to look at', required: true, secret: true }],
      reply: information,
      summary: 'Show what a token says; the token stands in the address',
    }),
    documented({
      ...look,
      verb: 'info',
      method: 'POST',
      path: '/auth/tokeninfo',
      body: { kind: 'value', schema: object({ token }, 'A token') },
      reply: information,
      summary: 'Show what a token says',
    }),
  ],
});
