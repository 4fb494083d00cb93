import { operations, resourceByName } from '../contract/catalogue.ts';
import type { Operation } from '../contract/types.ts';
import { collectionHandlers } from './collections/collection.ts';
import type { Handler, Handlers } from './requests/call.ts';
import { aboutHandlers } from './special/about.ts';
import { accountSettingHandlers } from './special/account-settings.ts';
import { accountHandlers } from './special/accounts.ts';
import { alertHandlers } from './special/alerts.ts';
import { callbackHandlers } from './special/callback.ts';
import { carrierHandlers } from './special/carriers.ts';
import { cdrHandlers } from './special/cdrs.ts';
import { contactHandlers } from './special/contacts.ts';
import { deviceHandlers } from './special/devices.ts';
import { faxHandlers } from './special/faxes.ts';
import { ledgerHandlers } from './special/ledgers.ts';
import { liveCallHandlers } from './special/live-calls.ts';
import { mediaHandlers } from './special/media.ts';
import { messageHandlers } from './special/messages.ts';
import { notificationHandlers } from './special/notifications.ts';
import { numberLookupHandlers } from './special/number-lookups.ts';
import { numberHandlers } from './special/numbers.ts';
import { portHandlers } from './special/ports.ts';
import { presenceHandlers } from './special/presence.ts';
import { queueHandlers } from './special/queues.ts';
import { searchHandlers } from './special/search.ts';
import { serviceHandlers } from './special/services.ts';
import { signInHandlers } from './special/sign-in.ts';
import { ssoHandlers } from './special/sso.ts';
import { storeAppHandlers } from './special/store-apps.ts';
import { taskHandlers } from './special/tasks.ts';
import { underRecordHandlers } from './special/under-records.ts';
import { webhookHandlers } from './special/webhooks.ts';
import { whitelabelHandlers } from './special/whitelabel.ts';

/** Paths of a collection that stands right in an account, or in the service, and of its records. */
const plainPath = /^(\/accounts\/\{account_id\})?(?:\/\w+)+(?:\/\{\w+\})?$/;

/** Answers the six verbs of such collections, where nothing of their own does. */
const genericHandlers = operations.flatMap(({ id, path, resource, verb }): readonly [string, Handler][] => {
  const [whole, account] = plainPath.exec(path) ?? [];
  if (whole === undefined || resourceByName(resource).kind === 'singleton') return [];
  const made: Handlers = collectionHandlers(resource, account === undefined ? '' : undefined);
  return Object.entries(made).flatMap(([each, handler]) => (each === verb ? [[id, handler]] : []));
});

const handlers: Handlers = {
  ...Object.fromEntries(genericHandlers),
  ...aboutHandlers,
  ...accountSettingHandlers,
  ...accountHandlers,
  ...alertHandlers,
  ...callbackHandlers,
  ...carrierHandlers,
  ...cdrHandlers,
  ...contactHandlers,
  ...deviceHandlers,
  ...faxHandlers,
  ...ledgerHandlers,
  ...liveCallHandlers,
  ...mediaHandlers,
  ...messageHandlers,
  ...notificationHandlers,
  ...numberLookupHandlers,
  ...numberHandlers,
  ...portHandlers,
  ...presenceHandlers,
  ...queueHandlers,
  ...searchHandlers,
  ...serviceHandlers,
  ...signInHandlers,
  ...ssoHandlers,
  ...storeAppHandlers,
  ...taskHandlers,
  ...underRecordHandlers,
  ...webhookHandlers,
  ...whitelabelHandlers,
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
