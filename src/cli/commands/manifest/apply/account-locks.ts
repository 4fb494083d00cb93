import { createHint, Failure, nextStep } from '../../../../base/failure.ts';
import type { Lease } from '../../../../engine/state/state.ts';
import type { Context } from '../../../command/context.ts';
import { runUser } from './record-writes.ts';

export interface AccountLocks {
  /** Locks an account, and reports a wait for another process. Throws `conflict`. */
  hold(account: { readonly id: string; readonly name: string; readonly origin: string }): Promise<void>;
  release(): Promise<void>;
}

const usualWaitMs = 90_000;

/** Describes the holder of a lock: the pipeline or the user, and the machine. */
export async function holderName(context: Context): Promise<string> {
  const { ci, machine } = await context.facts();
  const { user } = await runUser(context, { asks: false });
  return `${ci === undefined ? (user ?? 'unknown user') : `pipeline ${ci.id}${ci.actor === undefined ? '' : ` of ${ci.actor}`}`}@${machine}`;
}

/** Locks accounts in the state. `forMs`: longest wait for another process. */
export function accountLocks(context: Context, forMs: number = usualWaitMs): AccountLocks {
  const { host, notices, state } = context;
  const held = new Map<string, Promise<Lease>>();
  const lock = async (name: string, origin: string, accountId: string): Promise<Lease> => {
    let holder = '';
    const lease = await (await state()).lock(
      { origin, accountId },
      {
        signal: host.interrupted,
        who: await holderName(context),
        forMs,
        waiting(who) {
          holder = who === undefined ? '' : ` (${who})`;
          notices.say(`Another apply on ${name} is running${holder}; waiting.`);
        },
      },
    );
    if (lease) return lease;
    throw new Failure(
      'conflict',
      `Another apply on ${name} is still running${holder}. Nothing was changed.`,
      {
        hint: createHint`Repeat the command when ${nextStep`apply history`} shows that it ended.`,
      },
    );
  };
  return {
    async hold({ id, name, origin }) {
      const key = `${origin} ${id}`;
      const locking = held.get(key) ?? lock(name, origin, id);
      held.set(key, locking);
      await locking;
    },
    async release() {
      for (const locking of [...held.values()].reverse()) {
        // A lock that could not be acquired has already been reported.
        const lease = await locking.catch(() => undefined);
        await lease?.release();
      }
      held.clear();
    },
  };
}
