import { flag, freeObject, integer, mapOf, object, openObject, text, texts } from '../fields.ts';
import { resource, showOperation } from '../resource.ts';
import * as shared from '../structures.ts';

const made = { readOnly: true } as const;
const path = '/accounts/{account_id}/security';

const authModules = () =>
  mapOf(
    object(
      {
        enabled: flag('Allow this way to sign in'),
        log_failed_attempts: flag('Log failed attempts'),
        log_successful_attempts: flag('Log successful attempts'),
        token_auth_expiry_s: integer('Lifetime of a token, in seconds', { shownAs: 'seconds' }),
        multi_factor: object(
          {
            enabled: flag('Require a second factor'),
            account_id: text('Account with the settings', { ref: 'accounts' }),
            configuration_id: text('Settings of the second factor (default: those of the system)', {
              ref: 'multi_factor',
            }),
            include_subaccounts: flag('Include accounts below'),
            _read_only: openObject({}, 'Names of the settings', made),
          },
          'Second factor',
        ),
      },
      'A way to sign in',
    ),
    'By module: cb_user_auth (user and password), cb_api_auth (API key), cb_auth, cb_ip_auth',
    { convention: { keyPattern: '^cb_' } },
  );

export const signInAttempt = () =>
  openObject(
    {
      id: shared.id,
      auth_type: text('jwt_auth_token or multi_factor', made),
      auth_module: text('Module that handled the attempt', made),
      status: text('success or failed', made),
      message: text('Reason', made),
      timestamp: integer('Time, in Gregorian seconds', { ...made, shownAs: 'moment' }),
      client_ip: text('Address of the client', made),
      client_headers: freeObject('Headers of the request', { ...made, secret: true }),
    },
    'A sign-in attempt',
  );

export const security = resource({
  name: 'security',
  singular: 'security setting',
  summary: 'Ways to sign in to an account, tokens and second factors, and attempts',
  kind: 'singleton',
  order: 250,
  section: 'Conventions, Security settings',
  doc: 'Ways to sign in to an account',
  fields: () => ({
    id: shared.id,
    auth_modules: authModules(),
    account: object({ auth_modules: authModules() }, 'Settings of the account', made),
    inherited_config: object({ auth_modules: authModules() }, 'Settings of the accounts above', made),
  }),
  columns: [
    { header: 'OWN', paths: ['account.auth_modules'], show: 'count' },
    { header: 'INHERITED', paths: ['inherited_config.auth_modules'], show: 'count' },
  ],
  leftOutAs: 'ways to sign in',
  absent: { manifests: 'Wrong settings can lock you out, so they have their own commands' },
  writes: ['sign-in'],
  operations: [
    {
      get: { route: `GET ${path}`, summary: 'Show the ways to sign in, including inherited ones' },
      update: {
        route: `POST ${path}`,
        body: { kind: 'record' },
        summary: 'Replace the ways to sign in of an account',
      },
      patch: {
        route: `PATCH ${path}`,
        body: { kind: 'partial' },
        summary: 'Change the ways to sign in of an account',
      },
      delete: {
        route: `DELETE ${path}`,
        summary: "Remove an account's settings and use the inherited ones again",
      },
      attempts: {
        route: `GET ${path}/attempts`,
        reply: { kind: 'list', items: signInAttempt() },
        summary: 'List logged sign-in attempts',
      },
      modules: showOperation(
        '/security',
        'List the sign-in modules',
        openObject({ available_auth_modules: texts('Modules') }, 'Modules of the service'),
      ),
    },
  ],
});
