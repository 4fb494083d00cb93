import { join } from 'node:path';
import { isObject } from '../../base/json.ts';
import type { Host } from '../../host/host.ts';

/**
 * Takes what a former telctl kept over into the log, once: journals of applies, a folder for each account
 * (`journals/<account>/<time>.ndjson`), and its notes of ledgers that were behind. Runs get numbers in order of time.
 */
export async function takeFormer(host: Host, state: string, nextNumber: () => number): Promise<void> {
  const former = join(state, 'journals');
  if (host.files.kindOf(former) !== 'folder') return;
  await host.files.withLock(join(state, 'log'), async () => {
    const accounts = host.files.list(former);
    const runs = accounts
      .flatMap((account) =>
        host.files
          .list(join(former, account))
          .flatMap((name) =>
            name.endsWith('.ndjson') ? [{ account, run: name.slice(0, -'.ndjson'.length) }] : [],
          ),
      )
      .sort((one, other) => (one.run < other.run ? -1 : one.run > other.run ? 1 : 0));
    const numbers = new Map<string, string>();
    let number = nextNumber();
    for (const { account, run } of runs) {
      host.files.move(
        join(former, account, `${run}.ndjson`),
        join(state, 'log', `${String(number).padStart(6, '0')}.ndjson`),
      );
      numbers.set(run, String(number));
      number += 1;
    }
    for (const account of accounts) takePending(host, state, account, numbers);
    host.files.remove(former);
  });
}

/** Takes over which run the ledger of an account may not know. */
function takePending(host: Host, state: string, account: string, numbers: ReadonlyMap<string, string>): void {
  const text = host.files.readKept(join(state, 'journals', account, 'pending'))?.text;
  if (text === undefined) return;
  try {
    const noted: unknown = JSON.parse(text);
    if (!isObject(noted) || typeof noted.run !== 'string') return;
    const run = numbers.get(noted.run);
    const behind = JSON.stringify({ run, ledger: noted.ledger });
    if (run !== undefined) host.files.writePrivate(join(state, 'ledgers', `${account}.behind`), behind);
  } catch {
    // Nothing of it can be used; the objects are found by their names.
  }
}
