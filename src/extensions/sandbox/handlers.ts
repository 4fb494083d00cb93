import { operations, resourceByName } from '../../contract/catalogue.ts';
import type { Operation } from '../../contract/types.ts';
import { collectionHandlers } from './collections/collection.ts';
import { aboutHandlers } from './operations/about.ts';
import { accountSettingHandlers } from './operations/account-settings.ts';
import { accountHandlers } from './operations/accounts.ts';
import { alertHandlers } from './operations/alerts.ts';
import { callbackHandlers } from './operations/callback.ts';
import { carrierHandlers } from './operations/carriers.ts';
import { cdrHandlers } from './operations/cdrs.ts';
import { underRecordHandlers } from './operations/comments-and-lists.ts';
import { contactHandlers } from './operations/contacts.ts';
import { deviceHandlers } from './operations/devices.ts';
import { faxHandlers } from './operations/faxes.ts';
import { ledgerHandlers } from './operations/ledgers.ts';
import { liveCallHandlers } from './operations/live-calls.ts';
import { mediaHandlers } from './operations/media.ts';
import { messageHandlers } from './operations/messages.ts';
import { notificationHandlers } from './operations/notifications.ts';
import { numberLookupHandlers } from './operations/number-lookups.ts';
import { numberHandlers } from './operations/numbers.ts';
import { portHandlers } from './operations/ports.ts';
import { presenceHandlers } from './operations/presence.ts';
import { queueHandlers } from './operations/queues.ts';
import { searchHandlers } from './operations/search.ts';
import { serviceHandlers } from './operations/services.ts';
import { signInHandlers } from './operations/sign-in.ts';
import { ssoHandlers } from './operations/sso.ts';
import { storeAppHandlers } from './operations/store-apps.ts';
import { taskHandlers } from './operations/tasks.ts';
import { webhookHandlers } from './operations/webhooks.ts';
import { whitelabelHandlers } from './operations/whitelabel.ts';
import type { RequestHandler, RequestHandlers } from './requests/service-request.ts';

/** Matches paths of collections directly below an account or the service, and paths of their records. */
const plainPath = /^(\/accounts\/\{account_id\})?(?:\/\w+)+(?:\/\{\w+\})?$/;

/** Handlers of the six generic verbs. Handlers of single operations override them. */
const genericHandlers = operations.flatMap(
  ({ id, path, resource, verb }): readonly [string, RequestHandler][] => {
    const [whole, account] = plainPath.exec(path) ?? [];
    if (whole === undefined || resourceByName(resource).kind === 'singleton') return [];
    const made: RequestHandlers = collectionHandlers(resource, account === undefined ? '' : undefined);
    return Object.entries(made).flatMap(([each, handler]) => (each === verb ? [[id, handler]] : []));
  },
);

const handlers: RequestHandlers = {
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

/** Throws an error for an operation without a handler, because that is a bug of the sandbox. */
export function handlerOf({ id }: Operation): RequestHandler {
  const handler = handlers[id];
  if (handler) return handler;
  throw new Error(`No handler for ${id}.`);
}

/** Lists operations without a handler. A test checks that the list is empty. */
export const operationsWithoutHandler = (): readonly Operation[] =>
  operations.filter(({ id }) => !Object.hasOwn(handlers, id));
