import { Failure } from '../../../base/failure.ts';
import type { Context } from '../../../command/context.ts';
import { type JournalOwner, journalFolder, unwritable } from '../../../manifest/apply/journal-file.ts';

/** Accounts that this process alone may change by a manifest. */
export interface AccountLocks {
  /** Locks an account; waits for another process that has it, and says so. Throws `Failure` of kind `conflict`. */
  hold(account: { readonly id: string; readonly name: string; readonly origin: string }): Promise<void>;
  release(): Promise<void>;
}

/** Locks of accounts, each beside its journals. */
export function accountLocks({ host, notices }: Context): AccountLocks {
  const held = new Map<string, Promise<() => Promise<void>>>();
  const lock = async (name: string, owner: JournalOwner): Promise<() => Promise<void>> => {
    const path = `${journalFolder(host, owner)}.lock-holder`;
    let holder = '';
    try {
      return await host.files.lock(path, {
        signal: host.interrupted,
        word: String(host.processes.pid),
        isGone: (pid) => !host.processes.isAlive(Number(pid)),
        waiting(pid) {
          holder = pid === undefined ? '' : ` (process ${pid})`;
          notices.say(`Another apply on ${name} is running${holder}; waiting.`);
        },
      });
    } catch (error) {
      if (!host.files.isLocked(error)) throw unwritable(path, error);
      throw new Failure(
        'conflict',
        `Another apply on ${name} is still running${holder}. Nothing was changed.`,
        {
          hint: 'Repeat when it is over: telctl apply history',
          cause: error,
        },
      );
    }
  };
  return {
    async hold({ id, name, origin }) {
      const owner = { origin, accountId: id };
      const key = journalFolder(host, owner);
      const locking = held.get(key) ?? lock(name, owner);
      held.set(key, locking);
      await locking;
    },
    async release() {
      for (const locking of [...held.values()].reverse()) {
        // One that could not be had has told why already.
        const unlock = await locking.catch(() => undefined);
        await unlock?.();
      }
      held.clear();
    },
  };
}
