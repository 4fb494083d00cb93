import type { Context } from '../cli/context.ts';
import type { Section, Snapshot } from '../manifest/export/exported.ts';
import { readAccount } from '../manifest/export/read-account.ts';
import type { KindName } from '../manifest/kinds.ts';
import { serviceOf } from '../manifest/state/service.ts';

/** Which parts of an account are wanted. */
export interface Wanted {
  /** Kinds whose records are read whole. */
  readonly whole: readonly KindName[];
  /** Kinds whose lists are enough, for names and ids. */
  readonly listed?: readonly KindName[];
}

/** What was read of an account, and what of it could not be read: a sentence each. */
export interface ReadAccount {
  readonly sections: readonly Section[];
  readonly missing: readonly string[];
}

/**
 * Reads what is wanted of an account, several records at once, with progress. What cannot be read is warned of; the
 * result is partial then. Throws `Failure` where nothing can be read.
 */
export async function readParts(
  context: Context,
  { whole, listed = [] }: Wanted,
  accountId: string | undefined = undefined,
): Promise<ReadAccount> {
  const id = accountId ?? (await context.accountId());
  const snapshot: Snapshot = await readAccount(serviceOf(await context.api(), id), {
    account: { id, name: id, realm: '', origin: '' },
    only: new Set(whole),
    named: new Set(listed),
    concurrency: context.settings.concurrency.value,
    progress: (done, total) => context.notices.progress(done, total, 'records'),
  });
  const sections = [...snapshot.sections, ...snapshot.others];
  const missing = sections.flatMap(({ kind, missing: why }) =>
    why === undefined ? [] : [`The ${kind.name.replaceAll('_', ' ')} were not all read: ${why}`],
  );
  for (const sentence of missing) context.notices.warn(sentence);
  return { sections, missing };
}
