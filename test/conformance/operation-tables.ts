import type { ErrorShape, Method } from '../../src/contract/types.ts';

/**
 * A row of the specification's operation tables: method and path as printed, and the parts that distinguish equal
 * paths.
 */
export interface Row {
  readonly method: Method;
  /** With `/v2` and the query if the table prints them. */
  readonly path: string;
  /** Value of `action` in the request body. */
  readonly action?: string;
  /** The part of the request in the row. */
  readonly request: 'none' | 'data' | 'action' | 'not shown';
  readonly withoutToken?: true;
  readonly superOnly?: true;
}

/** A table of the chapter Endpoints, and the error format of its group (chapter Errors). */
export interface OperationTable {
  readonly title: string;
  readonly errors: ErrorShape;
  readonly rows: readonly Row[];
}

const reset = { action: 'reset_signature_secret', request: 'action' } as const;

export const operationTables: readonly OperationTable[] = [
  {
    title: 'Authentication and tokens',
    errors: 'legacy',
    rows: [
      { method: 'PUT', path: '/v2/user_auth', request: 'data', withoutToken: true },
      { method: 'PUT', path: '/v2/api_auth', request: 'data', withoutToken: true },
      { method: 'GET', path: '/accounts/{account_id}/api_key', request: 'none' },
      { method: 'POST', path: '/accounts/{account_id}/api_key', request: 'not shown' },
      { method: 'PATCH', path: '/accounts/{account_id}/users/{user_id}', request: 'data' },
      { method: 'PUT', path: '/v2/auth', ...reset, superOnly: true },
      { method: 'PUT', path: '/v2/accounts/{account_id}/auth', ...reset },
      { method: 'PUT', path: '/v2/accounts/{account_id}/users/{user_id}/auth', ...reset },
      { method: 'PUT', path: '/v2/auth', action: 'refresh_token', request: 'action' },
      { method: 'PUT', path: '/v2/auth/callback', request: 'data' },
      { method: 'PUT', path: '/v2/auth/authorize', request: 'not shown' },
      { method: 'GET', path: '/v2/auth/tokeninfo?token=<token>', request: 'none' },
      { method: 'POST', path: '/v2/auth/tokeninfo', request: 'data' },
      { method: 'GET', path: '/v2/auth/apps', request: 'none' },
      { method: 'GET', path: '/v2/auth/apps/{app_id}', request: 'none' },
      { method: 'POST', path: '/v2/auth/apps/{app_id}', request: 'not shown' },
      { method: 'DELETE', path: '/v2/auth/apps/{app_id}', request: 'none' },
      { method: 'GET', path: '/v2/auth/providers', request: 'none' },
      { method: 'GET', path: '/v2/auth/providers/{provider_id}', request: 'none' },
      { method: 'POST', path: '/v2/auth/providers/{provider_id}', request: 'not shown', superOnly: true },
      { method: 'DELETE', path: '/v2/auth/providers/{provider_id}', request: 'none', superOnly: true },
      { method: 'GET', path: '/v2/auth/links', request: 'none' },
      { method: 'GET', path: '/v2/auth/links/{link_id}', request: 'none' },
      { method: 'PUT', path: '/v2/auth/links/{link_id}', request: 'not shown' },
      { method: 'DELETE', path: '/v2/auth/links/{link_id}', request: 'none' },
      { method: 'GET', path: '/v2/auth/keys', request: 'none' },
      { method: 'GET', path: '/v2/auth/keys/{key_id}', request: 'none' },
      {
        method: 'PUT',
        path: '/v2/auth/keys/{key_id}',
        action: 'reset_private_key',
        request: 'action',
        superOnly: true,
      },
    ],
  },
  {
    title: 'Limits and webhooks',
    errors: 'legacy',
    rows: [
      { method: 'GET', path: '/v2/accounts/{account_id}/limits', request: 'none' },
      { method: 'POST', path: '/v2/accounts/{account_id}/limits', request: 'data' },
      { method: 'GET', path: '/v2/webhooks', request: 'none' },
      { method: 'PUT', path: '/v2/accounts/{account_id}/webhooks', request: 'data' },
      { method: 'PATCH', path: '/v2/accounts/{account_id}/webhooks/{webhook_id}', request: 'data' },
      { method: 'GET', path: '/v2/accounts/{account_id}/webhooks/{webhook_id}/attempts', request: 'none' },
    ],
  },
  {
    title: 'Account resources',
    errors: 'reference',
    rows: [
      { method: 'POST', path: '/accounts/{account_id}', request: 'data' },
      { method: 'PUT', path: '/accounts/{account_id}/callflows', request: 'data' },
      {
        method: 'PUT',
        path: '/accounts/{account_id}/conferences/{conference_id}/participants/{participant_id}',
        request: 'data',
      },
      { method: 'PATCH', path: '/accounts/{account_id}/conferences/{conference_id}', request: 'data' },
      { method: 'POST', path: '/accounts/{account_id}/phone_numbers/locality', request: 'data' },
      {
        method: 'GET',
        path: '/accounts/{account_id}/phone_numbers/classifiers/{phone_number}',
        request: 'none',
      },
      { method: 'POST', path: '/accounts/{account_id}/vmboxes/{vm_box_id}', request: 'data' },
      {
        method: 'PATCH',
        path: '/accounts/{account_id}/port_requests/{port_request_id}/scheduled',
        request: 'data',
      },
      {
        method: 'GET',
        path: '/accounts/{account_id}/port_requests/{port_request_id}/timeline',
        request: 'none',
      },
      { method: 'PUT', path: '/accounts/{account_id}/faxes', request: 'data' },
      { method: 'GET', path: '/accounts/{account_id}/users/{user_id}/vcard', request: 'none' },
      { method: 'GET', path: '/accounts/{account_id}/metaflows', request: 'none' },
      { method: 'DELETE', path: '/accounts/{account_id}/metaflows', request: 'none' },
      { method: 'POST', path: '/accounts/{account_id}/menus/{menu_id}', request: 'data' },
      { method: 'PATCH', path: '/accounts/{account_id}/directories/{directory_id}', request: 'data' },
      { method: 'GET', path: '/accounts/{account_id}/groups/{group_id}', request: 'none' },
      { method: 'POST', path: '/accounts/{account_id}/services', request: 'not shown' },
      { method: 'POST', path: '/accounts/{account_id}/services/overrides', request: 'not shown' },
      { method: 'POST', path: '/accounts/{account_id}/services/{plan_id}', request: 'not shown' },
      { method: 'GET', path: '/accounts/{account_id}/contact_list', request: 'none' },
      { method: 'GET', path: '/accounts/{account_id}/resource_selectors/rules', request: 'none' },
    ],
  },
];
