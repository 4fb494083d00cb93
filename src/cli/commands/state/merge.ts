import { resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { systemReason } from '../../../base/reading.ts';
import { counted } from '../../../base/wording.ts';
import { mergeLedgerTexts } from '../../../engine/state/merge-ledgers.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import type { mergeArguments } from './commands.ts';

/** Merges the ledger files of two branches, as a merge driver of Git. Throws `Failure` of kind `conflict` for what is left. */
export async function mergeLedgerFiles(
  { base, ours, theirs }: InputOf<Record<never, never>, typeof mergeArguments>,
  { host }: Context,
): Promise<Result> {
  const texts = { base: fileText(host, base), ours: fileText(host, ours), theirs: fileText(host, theirs) };
  const { text, conflicts, entries } = mergeLedgerTexts(texts, { base, ours, theirs });
  host.files.writePrivate(resolve(host.cwd, ours), text);
  if (conflicts.length === 0)
    return { kind: 'done', message: `Merged the ledger: ${counted(entries, 'entry', 'entries')}.` };
  throw new Failure(
    'conflict',
    [
      `The ledger has ${counted(conflicts.length, 'object')} that cannot be merged:`,
      ...conflicts.map(({ key, set, why }) => `  ${key} of the manifest set ${JSON.stringify(set)}: ${why}`),
    ],
    {
      hint: 'Each stands between marks in the file: keep one of its lines, remove the marks, and git add the file. What was made twice stands twice in the account.',
      details: { conflicts: conflicts.map(({ key, set, why }) => ({ key, set, why })) },
    },
  );
}

/** The text of a file; none where Git has an empty one, or there is none. */
function fileText({ files, cwd }: Pick<Host, 'files' | 'cwd'>, name: string): string | undefined {
  try {
    const text = files.readText(resolve(cwd, name))?.text;
    return text?.trim() === '' ? undefined : text;
  } catch (error) {
    const reason = systemReason(error);
    if (reason === undefined) throw error;
    throw new Failure('usage', `${name} cannot be read (${reason}).`, { cause: error });
  }
}
