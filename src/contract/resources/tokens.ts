import { apiKey, signInData, tokenInformation } from '../envelope.ts';
import { object, openObject, text } from '../fields.ts';
import { resource, value } from '../resource.ts';

const ours = { source: 'convention' } as const;
/** Dry runs and read-only profiles allow signing in and inspecting tokens. */
const look = { effect: 'read', repeat: 'safe' } as const;
const once = { effect: 'read', repeat: 'never' } as const;
const reset = {
  effect: 'destructive',
  repeat: 'never',
  body: { kind: 'action', action: 'reset_signature_secret' },
  reply: { kind: 'empty' },
} as const;
const signedIn = value(signInData);
const information = value(tokenInformation);

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
    phone_number: text('A number of the account', {
      dialled: true,
      convention: { minLength: 1, maxLength: 64 },
    }),
  },
  'Credentials, with exactly one of account_name, account_realm and phone_number',
);

const forgotten = object(
  {
    username: text('Who forgot it'),
    ui_url: text('Page of the web interface that the link opens'),
    account_name: text('Name of the account'),
    account_realm: text('Realm of the account'),
    phone_number: text('A number of the account', { dialled: true }),
  },
  'User who forgot a password',
  { convention: { required: ['username', 'ui_url'] } },
);

const resetting = object(
  {
    reset_id: text('Id at the end of the link', {
      secret: true,
      convention: { pattern: '^[a-fA-F0-9]{40,250}$' },
    }),
  },
  'The link',
  { convention: { required: ['reset_id'] } },
);

/** `auth.callback`: response of an SSO provider (Resources and their fields, Authentication records). */
const callback = object(
  {
    client_id: text('Application id at the provider'),
    code: text('Access code from the provider', { secret: true }),
    provider: text('Provider', { ref: 'providers' }),
    redirect_uri: text('URI that received the code'),
    state: text('State sent to the provider'),
    code_verifier: text("PKCE's verifier, for the exchange of the code", { ...ours, secret: true }),
    nonce: text('Nonce that the ID token must contain', ours),
  },
  'A sign-in at an SSO provider',
);

export const tokens = resource({
  name: 'tokens',
  singular: 'token',
  summary: 'Sign-in, tokens and the secrets that sign them',
  kind: 'singleton',
  order: 200,
  section: 'Authentication',
  listedIn: 'Endpoints, Authentication and tokens',
  errors: 'legacy',
  prefix: 'always',
  schema: () => tokenInformation,
  columns: [
    { header: 'ACCOUNT', paths: ['account_name'] },
    { header: 'ACCOUNT ID', paths: ['account_id'], show: 'id' },
    { header: 'USER ID', paths: ['owner_id'], show: 'id' },
    'language',
  ],
  absent: { manifests: 'A token is temporary and belongs to one person', page: 'Tokens are not stored' },
  writes: ['sign-in'],
  operations: [
    {
      'user-auth': {
        route: 'PUT /user_auth',
        source: 'specification',
        ...look,
        authenticated: false,
        body: value(credentials),
        reply: signedIn,
        summary: 'Sign in as a user',
      },
      'api-auth': {
        route: 'PUT /api_auth',
        source: 'specification',
        ...look,
        authenticated: false,
        body: value(apiKey),
        reply: signedIn,
        summary: 'Sign in with an API key',
      },
      'reset-system-secret': {
        route: 'PUT /auth',
        source: 'specification',
        ...reset,
        asks: {
          name: 'host',
          effect: 'This signs out every user of every account at {name} (system signature secret).',
        },
        role: 'super',
        summary: 'End all tokens of the service',
      },
      'reset-account-secret': {
        route: 'PUT /accounts/{account_id}/auth',
        source: 'specification',
        ...reset,
        asks: {
          name: 'account',
          effect:
            'This ends the tokens that were got with the API key of account {name}. Its users stay signed in: their tokens depend on secrets of their own (--everyone resets those, too).',
          yesAnswers: true,
        },
        role: 'admin',
        summary: "End the tokens issued for an account's API key; users' tokens stay valid",
      },
      'reset-user-secret': {
        route: 'PUT /accounts/{account_id}/users/{user_id}/auth',
        source: 'specification',
        ...reset,
        asks: { name: 'user', effect: 'This signs {name} out everywhere.', yesAnswers: true },
        role: 'self',
        summary: 'End the tokens of a user',
      },
      refresh: {
        route: 'PUT /auth',
        source: 'specification',
        ...look,
        body: { kind: 'action', action: 'refresh_token' },
        reply: signedIn,
        summary: 'Exchange a token for a new one',
      },
      callback: {
        route: 'PUT /auth/callback',
        source: 'specification',
        ...once,
        tokenOptional: true,
        body: value(callback),
        reply: information,
        summary: 'Sign in with a code from an SSO provider; the response is empty if no link exists',
      },
      authorize: {
        route: 'PUT /auth/authorize',
        source: 'specification',
        ...once,
        tokenOptional: true,
        body: value(
          openObject(
            {
              token: text('Token of the provider', { ...ours, secret: true }),
              provider: text('Provider', { ...ours, ref: 'providers' }),
              app: text('Application that the token was issued to', { ...ours, ref: 'apps' }),
            },
            'A foreign token, with its provider or application',
          ),
        ),
        reply: information,
        summary: 'Validate and authorize a foreign SSO token or application',
      },
      recover: {
        route: 'PUT /user_auth/recovery',
        section: 'Conventions, sign-in, recovery',
        tokenOptional: true,
        repeat: 'never',
        body: value(forgotten),
        reply: value(text('Confirmation of the sent message')),
        summary: 'Send a one-time sign-in link to a user who forgot a password',
      },
      recovered: {
        route: 'POST /user_auth/recovery',
        section: 'Conventions, sign-in, recovery',
        tokenOptional: true,
        repeat: 'never',
        body: value(resetting),
        reply: signedIn,
        summary: 'Sign in with a recovery link',
      },
      'info-by-query': {
        route: 'GET /auth/tokeninfo',
        source: 'specification',
        query: [{ name: 'token', doc: 'Token to inspect', required: true, secret: true }],
        reply: information,
        summary: 'Show the contents of a token that is passed in the URL',
      },
      info: {
        route: 'POST /auth/tokeninfo',
        source: 'specification',
        ...look,
        body: value(object({ token }, 'A token')),
        reply: information,
        summary: 'Show the contents of a token',
      },
    },
  ],
});
