import { genericCollections } from '../support/generic-collections.ts';

/** The six verbs of a collection. */
const collection = (name: string): readonly string[] =>
  ['list', 'get', 'create', 'update', 'patch', 'delete'].map((verb) => `${name}.${verb}`);

/** The tests that are about some operations, beside the one that tries all of them: operations by file. */
export const coverage: Readonly<Record<string, readonly string[]>> = {
  'src/commands/accounts/api-key.test.ts': [
    'accounts.api-key',
    'accounts.rotate-api-key',
    'accounts.put-api-key',
  ],
  'src/commands/users/users.test.ts': ['users.vcard'],
  'src/sandbox/collections/account-tree.test.ts': [
    'accounts.create',
    'accounts.delete',
    'accounts.descendants',
    'accounts.list',
    'metaflows.get',
    'metaflows.update',
    'metaflows.delete',
  ],
  'src/sandbox/identity/callback.test.ts': [
    'links.list',
    'links.link',
    'links.delete',
    'tokens.authorize',
    'tokens.callback',
  ],
  'src/sandbox/collections/collections.test.ts': collection('users'),
  'src/sandbox/collections/generic-resources.test.ts': [
    ...genericCollections.filter((name) => name !== 'users').flatMap(collection),
  ],
  'src/sandbox/special/faxes.test.ts': [
    'faxes.list',
    'faxes.get',
    'faxes.create',
    'faxes.received',
    'faxes.sent',
    'faxes.delete-received',
    'faxes.resubmit',
    'faxes.inbox',
    'faxes.outbox',
  ],
  'src/sandbox/special/messages.test.ts': [
    'messages.list',
    'messages.get',
    'messages.create',
    'messages.update',
    'messages.delete',
    'messages.move-all',
    'messages.delete-all',
  ],
  'src/sandbox/special/numbers.test.ts': [
    ...collection('numbers'),
    'numbers.activate',
    'numbers.reserve',
    'numbers.port-in',
    'numbers.locality',
    'numbers.classify',
  ],
  'src/sandbox/special/participants.test.ts': ['participants.list', 'participants.update'],
  'src/sandbox/special/ports.test.ts': [
    ...collection('ports'),
    'ports.submit',
    'ports.pend',
    'ports.schedule',
    'ports.complete',
    'ports.reject',
    'ports.cancel',
    'ports.timeline',
    'ports.comment',
  ],
  'src/sandbox/identity/sign-in.test.ts': [
    'tokens.user-auth',
    'tokens.api-auth',
    'tokens.info',
    'tokens.info-by-query',
  ],
  'src/sandbox/identity/single-sign-on.test.ts': [
    'apps.create',
    'apps.list',
    'apps.update',
    'apps.delete',
    'keys.get',
    'providers.list',
    'providers.update',
    'providers.delete',
  ],
  'src/sandbox/identity/token-states.test.ts': [
    'accounts.patch',
    'keys.list',
    'keys.reset',
    'tokens.refresh',
    'tokens.reset-account-secret',
    'tokens.reset-system-secret',
    'tokens.reset-user-secret',
  ],
  'src/sandbox/special/webhooks.test.ts': ['webhooks.hooks', 'webhooks.attempts'],
  'test/conformance/envelopes.test.ts': ['accounts.get'],
  'test/scenarios/charges.test.ts': ['limits.get', 'limits.set'],
};
