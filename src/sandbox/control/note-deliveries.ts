import { maskedUrl } from '../../contract/secrets.ts';
import type { Try } from '../events/deliverer.ts';
import type { ControlParts } from './control.ts';

/** Notes a try of a delivery in the log. */
export function noteDelivery(
  { clock, log }: Pick<ControlParts, 'clock' | 'log'>,
  { delivery, subscription, method, sent, ms }: Try,
): void {
  const words = [
    ...(delivery.tries > 0 ? [`try ${delivery.tries + 1}`] : []),
    ...('status' in sent ? [] : [sent.error]),
  ];
  log.add({
    kind: 'delivery',
    time: new Date(clock.now()).toISOString(),
    method: method.toUpperCase(),
    path: maskedUrl(subscription.target.uri),
    status: 'status' in sent ? sent.status : null,
    ms: Math.round(ms * 10) / 10,
    account_id: subscription.target.accountId,
    request_id: null,
    hook: delivery.hook,
    webhook_id: subscription.target.hookId,
    ...(words.length > 0 ? { note: words.join(', ') } : {}),
  });
}
