import { textAt } from '../fields.ts';
import type { Services } from '../services.ts';
import type { Change } from '../store/store.ts';
import type { Event } from './event.ts';
import { notification } from './notification.ts';

/**
 * Notifications of new users and accounts (Conventions, notification types). Passwords and API keys, which compatible
 * services put into them, are left out: the sandbox sends no secret of its own to a receiver.
 */
export function madeNotices(
  changes: readonly Change[],
  services: Pick<Services, 'random'>,
): readonly Event[] {
  return changes.flatMap((change) => {
    if (change.change !== 'put' || change.record.revision > 0) return [];
    const { kind, id, scope, body } = change.record;
    switch (kind) {
      case 'users':
        return [notification(services, 'new_user', { accountId: scope, keys: { user_id: id } })];
      case 'accounts': {
        const keys = {
          account_name: textAt(body, 'name') ?? '',
          account_realm: textAt(body, 'realm') ?? '',
        };
        return [notification(services, 'new_account', { accountId: id, keys })];
      }
      default:
        return [];
    }
  });
}
