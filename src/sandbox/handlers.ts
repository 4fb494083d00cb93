import { operations, resourceByName } from '../contract/catalogue.ts';
import type { Operation } from '../contract/types.ts';
import { collectionHandlers } from './collections/collection.ts';
import type { Handler, Handlers } from './requests/call.ts';
import { aboutHandlers, alertHandlers, storeAppHandlers } from './special/about.ts';
import {
  limitsHandlers,
  metaflowHandlers,
  securityHandlers,
  selectorHandlers,
} from './special/account-settings.ts';
import { accountHandlers } from './special/accounts.ts';
import { callbackHandlers } from './special/callback.ts';
import { carrierJobHandlers, rateHandlers } from './special/carriers.ts';
import { cdrHandlers, recordingHandlers } from './special/cdrs.ts';
import { deviceHandlers } from './special/devices.ts';
import { faxHandlers } from './special/faxes.ts';
import { allotmentHandlers, ledgerHandlers, transactionHandlers } from './special/ledgers.ts';
import { channelHandlers, participantHandlers } from './special/live-calls.ts';
import { mediaHandlers } from './special/media.ts';
import { messageHandlers } from './special/messages.ts';
import { mailHandlers, notificationHandlers } from './special/notifications.ts';
import { numberLookupHandlers } from './special/number-lookups.ts';
import { numberCollectionHandlers, numberHandlers } from './special/numbers.ts';
import { portDocumentHandlers, portHandlers } from './special/ports.ts';
import { presenceHandlers } from './special/presence.ts';
import { agentHandlers, queueHandlers } from './special/queues.ts';
import { contactHandlers, searchHandlers, vcardHandlers } from './special/search.ts';
import { serviceAuditHandlers, serviceHandlers } from './special/services.ts';
import { keyHandlers, recoveryHandlers, resetHandlers, signInHandlers } from './special/sign-in.ts';
import { linkHandlers, ssoHandlers } from './special/sso.ts';
import { taskHandlers } from './special/tasks.ts';
import { commentHandlers, listHandlers } from './special/under-records.ts';
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
