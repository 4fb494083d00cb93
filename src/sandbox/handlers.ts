import { operations, resourceByName } from '../contract/catalogue.ts';
import type { Operation } from '../contract/types.ts';
import { collectionHandlers } from './collections/collection.ts';
import type { Handler } from './requests/call.ts';
import { accountHandlers } from './special/accounts.ts';
import { callbackHandlers } from './special/callback.ts';
import { contactHandlers, vcardHandlers } from './special/contacts.ts';
import { faxHandlers } from './special/faxes.ts';
import { keyHandlers, resetHandlers } from './special/keys.ts';
import { limitsHandlers } from './special/limits.ts';
import { messageHandlers } from './special/messages.ts';
import { metaflowHandlers } from './special/metaflows.ts';
import { numberLookupHandlers } from './special/number-lookups.ts';
import { numberHandlers } from './special/numbers.ts';
import { participantHandlers } from './special/participants.ts';
import { portHandlers } from './special/ports.ts';
import { selectorHandlers } from './special/selectors.ts';
import { serviceHandlers } from './special/services.ts';
import { signInHandlers } from './special/sign-in.ts';
import { linkHandlers, ssoHandlers } from './special/sso.ts';
import { hookCatalogueHandlers, webhookHandlers } from './special/webhooks.ts';

/** Paths of the records of a collection that stands right in an account. */
const inAccount = /^\/accounts\/\{account_id\}\/\w+(\/\{\w+\})?$/;

/** Answers the six verbs of such collections, where nothing of their own does. */
const genericHandlers = operations.flatMap(({ id, path, resource, verb }): readonly [string, Handler][] => {
  const { kind, keptIn } = resourceByName(resource);
  if (kind === 'singleton' || keptIn !== undefined || !inAccount.test(path)) return [];
  const made: Readonly<Record<string, Handler>> = collectionHandlers(resource);
  return Object.entries(made).flatMap(([each, handler]) => (each === verb ? [[id, handler]] : []));
});

const handlers = new Map<string, Handler>([
  ...genericHandlers,
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

/**
 * Returns the handler of an operation. The sandbox does all that the contract has; an operation without a handler is
 * a bug.
 */
export function handlerOf({ id }: Operation): Handler {
  const handler = handlers.get(id);
  if (handler) return handler;
  throw new Error(`nothing answers ${id}`);
}

/** Operations of the contract that nothing answers. There are none; tests hold the sandbox to that. */
export const unservedOperations = (): readonly Operation[] =>
  operations.filter(({ id }) => !handlers.has(id));
