import { list, mapOf, object, text } from '../fields.ts';
import { resource, settings } from '../resource.ts';

export const token_restrictions = resource({
  name: 'token_restrictions',
  singular: 'token restriction',
  summary: 'API requests allowed for tokens of an account',
  kind: 'singleton',
  order: 252,
  section: 'Conventions, Security settings',
  doc: 'API requests allowed for tokens',
  fields: () => ({
    restrictions: mapOf(
      mapOf(
        mapOf(
          list(
            object(
              {
                allowed_accounts: list(
                  text('An id, {AUTH_ACCOUNT_ID}, {DESCENDANT_ACCOUNT_ID} or _'),
                  'Accounts',
                  { convention: { uniqueItems: true } },
                ),
                rules: mapOf(
                  list(
                    text('A method, or _ for any', {
                      convention: { enum: ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', '_'] },
                    }),
                    'Methods',
                    { convention: { uniqueItems: true } },
                  ),
                  'Rules by path. / matches no arguments, * one, # any number',
                  { convention: { keyPattern: '^[\\w/#*]+$' } },
                ),
              },
              'A rule',
            ),
            'Rules; the first match applies',
          ),
          'By endpoint, _ for any',
        ),
        'By level: admin, user, _ for any',
      ),
      'By module that signed in: cb_user_auth, cb_api_auth, _ for any',
    ),
  }),
  columns: [{ header: 'SIGNED IN BY', paths: ['restrictions'], show: 'count' }],
  leftOutAs: 'restrictions of tokens',
  absent: { manifests: 'Wrong rules can lock you out, so they have their own commands' },
  writes: ['privileges'],
  operations: [settings('/accounts/{account_id}/token_restrictions', 'the rules of tokens')],
});
