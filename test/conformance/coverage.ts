/** The six verbs of a collection. */
const collection = (name: string): readonly string[] =>
  ['list', 'get', 'create', 'update', 'patch', 'delete'].map((verb) => `${name}.${verb}`);

/**
 * The test file in which each operation succeeds against the sandbox, operations by file. An operation stands with
 * the test that is about it, and not with every test that happens to call it.
 */
export const coverage: Readonly<Record<string, readonly string[]>> = {
  'src/commands/accounts/api-key.test.ts': ['accounts.api-key', 'accounts.rotate-api-key'],
  'src/commands/users/users.test.ts': ['users.vcard'],
  'src/sandbox/account-tree.test.ts': [
    'accounts.create',
    'accounts.delete',
    'accounts.descendants',
    'accounts.list',
    'metaflows.get',
    'metaflows.update',
    'metaflows.delete',
  ],
  'src/sandbox/collections.test.ts': collection('users'),
  'src/sandbox/generic-resources.test.ts': [
    ...['groups', 'callflows', 'menus', 'directories', 'conferences', 'vmboxes', 'webhooks'].flatMap(
      collection,
    ),
  ],
  'src/sandbox/sign-in.test.ts': [
    'tokens.user-auth',
    'tokens.api-auth',
    'tokens.info',
    'tokens.info-by-query',
  ],
  'src/sandbox/single-sign-on.test.ts': [
    'apps.create',
    'apps.list',
    'apps.update',
    'apps.delete',
    'keys.get',
    'links.list',
    'links.link',
    'links.delete',
    'providers.list',
    'providers.update',
    'providers.delete',
    'tokens.callback',
  ],
  'src/sandbox/token-states.test.ts': [
    'accounts.patch',
    'keys.list',
    'keys.reset',
    'tokens.refresh',
    'tokens.reset-account-secret',
    'tokens.reset-system-secret',
    'tokens.reset-user-secret',
  ],
  'src/sandbox/webhooks.test.ts': ['webhooks.hooks', 'webhooks.attempts'],
  'test/conformance/envelopes.test.ts': ['accounts.get'],
  'test/scenarios/charges.test.ts': ['limits.get', 'limits.set'],
};
