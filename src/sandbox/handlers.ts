import { operations, resourceByName } from '../contract/catalogue.ts';
import type { Operation } from '../contract/types.ts';
import { collectionHandlers } from './collections/collection.ts';
import type { Handler, Handlers } from './requests/call.ts';
import { aboutHandlers } from './special/about.ts';
import { limitsHandlers, metaflowHandlers, selectorHandlers } from './special/account-settings.ts';
import { accountHandlers } from './special/accounts.ts';
import { alertHandlers } from './special/alerts.ts';
import { allotmentHandlers } from './special/allotments.ts';
import { callbackHandlers } from './special/callback.ts';
import { carrierJobHandlers } from './special/carrier-jobs.ts';
import { cdrHandlers, recordingHandlers } from './special/cdrs.ts';
import { channelHandlers } from './special/channels.ts';
import { commentHandlers } from './special/comments.ts';
import { contactHandlers, vcardHandlers } from './special/contacts.ts';
import { deviceHandlers } from './special/devices.ts';
import { faxHandlers } from './special/faxes.ts';
import { keyHandlers, resetHandlers } from './special/keys.ts';
import { ledgerHandlers, transactionHandlers } from './special/ledgers.ts';
import { listHandlers } from './special/lists.ts';
import { mediaHandlers } from './special/media.ts';
import { messageHandlers } from './special/messages.ts';
import { mailHandlers, notificationHandlers } from './special/notifications.ts';
import { numberCollectionHandlers } from './special/number-collections.ts';
import { numberLookupHandlers } from './special/number-lookups.ts';
import { numberHandlers } from './special/numbers.ts';
import { participantHandlers } from './special/participants.ts';
import { portDocumentHandlers } from './special/port-documents.ts';
import { portHandlers } from './special/ports.ts';
import { presenceHandlers } from './special/presence.ts';
import { agentHandlers, queueHandlers } from './special/queues.ts';
import { rateHandlers } from './special/rates.ts';
import { searchHandlers } from './special/search.ts';
import { securityHandlers } from './special/security.ts';
import { serviceAuditHandlers, serviceHandlers } from './special/services.ts';
import { recoveryHandlers, signInHandlers } from './special/sign-in.ts';
import { linkHandlers, ssoHandlers } from './special/sso.ts';
import { storeAppHandlers } from './special/store-apps.ts';
import { taskHandlers } from './special/tasks.ts';
import { hookCatalogueHandlers, webhookHandlers } from './special/webhooks.ts';
import { whitelabelHandlers } from './special/whitelabel.ts';

/** Paths of the records of a collection that stands right in an account, or in the service. */
const inAccount = /^\/accounts\/\{account_id\}\/\w+(\/\{\w+\})?$/;
const inService = /^\/(?!accounts\/)\w+(\/\{\w+\})?$/;

/** Answers the six verbs of such collections, where nothing of their own does. */
const genericHandlers = operations.flatMap(({ id, path, resource, verb }): readonly [string, Handler][] => {
  const { kind, keptIn } = resourceByName(resource);
  const isInService = inService.test(path);
  if (kind === 'singleton' || keptIn !== undefined || !(isInService || inAccount.test(path))) return [];
  const made: Handlers = collectionHandlers(resource, isInService ? { scope: '' } : {});
  return Object.entries(made).flatMap(([each, handler]) => (each === verb ? [[id, handler]] : []));
});

const handlers: Handlers = {
  ...Object.fromEntries(genericHandlers),
  ...aboutHandlers,
  ...storeAppHandlers,
  ...accountHandlers,
  ...agentHandlers,
  ...serviceAuditHandlers,
  ...rateHandlers,
  ...presenceHandlers,
  ...carrierJobHandlers,
  ...allotmentHandlers,
  ...alertHandlers,
  ...callbackHandlers,
  ...cdrHandlers,
  ...channelHandlers,
  ...contactHandlers,
  ...whitelabelHandlers,
  ...searchHandlers,
  ...commentHandlers,
  ...deviceHandlers,
  ...faxHandlers,
  ...hookCatalogueHandlers,
  ...keyHandlers,
  ...ledgerHandlers,
  ...limitsHandlers,
  ...linkHandlers,
  ...listHandlers,
  ...mailHandlers,
  ...mediaHandlers,
  ...messageHandlers,
  ...metaflowHandlers,
  ...notificationHandlers,
  ...numberHandlers,
  ...numberCollectionHandlers,
  ...numberLookupHandlers,
  ...participantHandlers,
  ...portDocumentHandlers,
  ...portHandlers,
  ...queueHandlers,
  ...recordingHandlers,
  ...recoveryHandlers,
  ...resetHandlers,
  ...securityHandlers,
  ...selectorHandlers,
  ...serviceHandlers,
  ...signInHandlers,
  ...ssoHandlers,
  ...transactionHandlers,
  ...taskHandlers,
  ...vcardHandlers,
  ...webhookHandlers,
};

/** The handler of an operation. The sandbox does all that the contract has: one without is a bug. */
export function handlerOf({ id }: Operation): Handler {
  const handler = handlers[id];
  if (handler) return handler;
  throw new Error(`nothing answers ${id}`);
}

/** Operations of the contract that nothing answers. There are none; tests hold the sandbox to that. */
export const unservedOperations = (): readonly Operation[] =>
  operations.filter(({ id }) => !Object.hasOwn(handlers, id));
