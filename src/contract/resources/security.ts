import { flag, freeObject, integer, mapOf, object, openObject, text, texts } from '../fields.ts';
import { resource, showing } from '../resource.ts';
import * as shared from '../structures.ts';

const made = { readOnly: true } as const;
const path = '/accounts/{account_id}/security';

const authModules = () =>
  mapOf(
    object(
      {
        enabled: flag('May be used to sign in'),
        log_failed_attempts: flag('Keep a record of attempts that failed'),
        log_successful_attempts: flag('Keep a record of attempts that succeeded'),
        token_auth_expiry_s: integer('Life of a token, in seconds', { shownAs: 'seconds' }),
        multi_factor: object(
          {
            enabled: flag('A second factor is needed'),
            account_id: text('Account that holds its settings', { ref: 'accounts' }),
            configuration_id: text('Settings of the second factor; the default of the system if left out', {
              ref: 'multi_factor',
            }),
            include_subaccounts: flag('In accounts below, too'),
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

/** An attempt to sign in, as the service logs it. */
export const attempt = () =>
  openObject(
    {
      id: shared.id,
      auth_type: text('jwt_auth_token or multi_factor', made),
      auth_module: text('Module that was asked', made),
      status: text('success or failed', made),
      message: text('Reason', made),
      timestamp: integer('When, in Gregorian seconds', { ...made, shownAs: 'moment' }),
      client_ip: text('Address that it came from', made),
      client_headers: freeObject('Headers that came with it', { ...made, secret: true }),
    },
    'An attempt to sign in',
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
    account: object({ auth_modules: authModules() }, 'What the account says itself', made),
    inherited_config: object({ auth_modules: authModules() }, 'What those above it say', made),
  }),
  columns: [
    { header: 'OWN', paths: ['account.auth_modules'], show: 'count' },
    { header: 'INHERITED', paths: ['inherited_config.auth_modules'], show: 'count' },
  ],
  leftOutAs: 'ways to sign in',
  absent: { manifests: 'Settings that can lock out whoever applies them are changed one by one' },
  writes: ['sign-in'],
  operations: [
    {
      get: { route: `GET ${path}`, summary: 'Show the ways to sign in, own and inherited ones' },
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
        summary: 'Remove the own settings of an account; inherited ones count again',
      },
      attempts: {
        route: `GET ${path}/attempts`,
        reply: { kind: 'list', items: attempt() },
        summary: 'List attempts to sign in that were logged',
      },
      modules: showing(
        '/security',
        'List the modules by which one can sign in',
        openObject({ available_auth_modules: texts('Modules') }, 'Modules of the service'),
      ),
    },
  ],
});
