import { operations } from '../contract/catalogue.ts';
import type { GenericVerb, Operation, ResourceName } from '../contract/types.ts';
import { collectionHandlers } from './collections/collection.ts';
import type { Handler } from './requests/call.ts';
import { accountHandlers } from './special/accounts.ts';
import { callbackHandlers } from './special/callback.ts';
import { contactHandlers } from './special/contacts.ts';
import { faxHandlers } from './special/faxes.ts';
import { hookCatalogueHandlers } from './special/hook-catalogue.ts';
import { keyHandlers } from './special/keys.ts';
import { limitsHandlers } from './special/limits.ts';
import { linkHandlers } from './special/links.ts';
import { messageHandlers } from './special/messages.ts';
import { metaflowHandlers } from './special/metaflows.ts';
import { numberLookupHandlers } from './special/number-lookups.ts';
import { numberHandlers } from './special/numbers.ts';
import { participantHandlers } from './special/participants.ts';
import { portHandlers } from './special/ports.ts';
import { resetHandlers } from './special/resets.ts';
import { selectorHandlers } from './special/selectors.ts';
import { serviceHandlers } from './special/services.ts';
import { signInHandlers } from './special/sign-in.ts';
import { ssoHandlers } from './special/sso.ts';
import { vcardHandlers } from './special/vcard.ts';
import { webhookHandlers } from './special/webhooks.ts';

/** Collections of an account whose six verbs are generic throughout. */
const collections: readonly ResourceName[] = [
  'users',
  'groups',
  'callflows',
  'menus',
  'directories',
  'conferences',
  'vmboxes',
  'webhooks',
];

const genericVerbs: readonly GenericVerb[] = ['list', 'get', 'create', 'update', 'patch', 'delete'];

const handlers = new Map<string, Handler>([
  ...collections.flatMap((name) => {
    const made = collectionHandlers(name);
    return genericVerbs.map((verb) => [`${name}.${verb}`, made[verb]] as const);
  }),
  ...accountHandlers,
  ...callbackHandlers,
  ...contactHandlers,
  ...faxHandlers,
  ...hookCatalogueHandlers,
  ...keyHandlers,
  ...limitsHandlers,
  ...linkHandlers,
  ...messageHandlers,
  ...metaflowHandlers,
  ...numberHandlers,
  ...numberLookupHandlers,
  ...participantHandlers,
  ...portHandlers,
  ...resetHandlers,
  ...selectorHandlers,
  ...serviceHandlers,
  ...signInHandlers,
  ...ssoHandlers,
  ...vcardHandlers,
  ...webhookHandlers,
]);

/** What answers an operation. The sandbox does all that the contract has; one without an answer is a bug. */
export function handlerOf({ id }: Operation): Handler {
  const handler = handlers.get(id);
  if (handler) return handler;
  throw new Error(`nothing answers ${id}`);
}

/** Operations of the contract that nothing answers. There are none; tests hold the sandbox to that. */
export const unservedOperations = (): readonly Operation[] =>
  operations.filter(({ id }) => !handlers.has(id));
