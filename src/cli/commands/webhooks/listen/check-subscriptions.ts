import { Failure } from '../../../../base/failure.ts';
import { textOrUndefined } from '../../../../base/json.ts';
import type { Api } from '../../../../client/api/api.ts';
import type { Context } from '../../../command/context.ts';
import { listWebhooks } from '../findings.ts';
import type { ListenSubscription } from './subscribe.ts';

/** A check is one list of the webhooks. */
const checkIntervalMs = 20_000;

export interface EndedSubscription extends ListenSubscription {
  readonly isThere: boolean;
  /** Completes "The subscription … ": `was deleted`. */
  readonly why: string;
}

/** Returns the subscriptions that were deleted or disabled. Throws `Failure` if the webhooks cannot be listed. */
export async function endedSubscriptions(
  api: Api,
  all: readonly ListenSubscription[],
): Promise<readonly EndedSubscription[]> {
  const listed = new Map((await listWebhooks(api)).map((each) => [each.id, each]));
  return all.flatMap((one): readonly EndedSubscription[] => {
    const now = listed.get(one.id);
    if (now === undefined) return [{ ...one, isThere: false, why: 'was deleted' }];
    if (now.enabled !== false) return [];
    const reason = textOrUndefined(now.disable_reason);
    return [{ ...one, isThere: true, why: reason ? `was disabled: ${reason}` : 'was disabled' }];
  });
}

/** Calls `act` with ended subscriptions until it returns false, or the returned function is called. */
export function watchSubscriptions(
  { host, notices }: Pick<Context, 'host' | 'notices'>,
  look: () => Promise<readonly EndedSubscription[]>,
  act: (ended: readonly EndedSubscription[]) => Promise<boolean>,
): () => void {
  let isOver = false;
  let cancelTimer = (): void => undefined;
  const scheduleCheck = (): void => {
    if (!isOver) cancelTimer = host.timers.later(checkIntervalMs, () => void check());
  };
  const check = async (): Promise<void> => {
    try {
      const ended = await look();
      if (isOver) return;
      if (ended.length === 0 || (await act(ended))) scheduleCheck();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (isOver || error.kind === 'interrupted') return;
      if (error.kind === 'not_found')
        notices.warn(
          'The service does not list webhooks, so telctl cannot detect the end of a subscription.',
        );
      else scheduleCheck();
    }
  };
  scheduleCheck();
  return () => {
    isOver = true;
    cancelTimer();
  };
}
