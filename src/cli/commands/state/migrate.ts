import { Failure } from '../../../base/failure.ts';
import { counted } from '../../../base/wording.ts';
import { checkStateAddress, trustState } from '../../../client/session/state-address.ts';
import type { State } from '../../../engine/state/state.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { openStateAt } from '../open-state.ts';
import type { migrateOptions, trustArguments } from './commands.ts';

/** Copies ledgers and the log into an empty state. */
export async function migrateState(
  { from, to }: InputOf<typeof migrateOptions>,
  context: Context,
): Promise<Result> {
  if (from === undefined || to === undefined)
    throw new Failure('usage', `telctl state migrate needs ${from === undefined ? '--from' : '--to'} URL.`);
  const source = await openStateAt(context, checkStateAddress(from, '--from', false));
  try {
    const target = await openStateAt(context, checkStateAddress(to, '--to', false));
    try {
      return await copied(source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function copied(source: State, target: State): Promise<Result> {
  const [runs, accounts] = await Promise.all([target.log.ids(), target.accounts()]);
  if (runs.length + accounts.length > 0)
    throw new Failure(
      'conflict',
      `${target.shown} holds ${counted(runs.length, 'run')} and ${counted(accounts.length, 'ledger')} already. Nothing was copied.`,
      { hint: 'Copy into an empty state: a new folder, or a new database.' },
    );
  const known = await source.accounts();
  for (const account of known) {
    const holder = await source.holder(account);
    if (holder !== undefined)
      throw new Failure(
        'conflict',
        `Account ${account.accountId} is locked by ${holder}. Nothing was copied.`,
        {
          hint: 'Repeat when that has ended.',
        },
      );
  }
  const ids = await source.log.ids();
  for (const id of ids) {
    const run = await source.log.read(id);
    if (run) await target.log.take(run);
  }
  for (const account of known) {
    const [from, to] = [source.ledger(account), target.ledger(account)];
    const ledger = await from.read();
    // Another state sees paths of manifests from elsewhere; the next apply notes its own.
    if (ledger) await to.take({ ...ledger, sources: {} });
    await to.setBehind(await from.behind());
  }
  return {
    kind: 'done',
    message: `Copied ${counted(known.length, 'ledger')} and ${counted(ids.length, 'run')} from ${source.shown} to ${target.shown}.`,
  };
}

export async function trustAddress(
  { url }: InputOf<Record<never, never>, typeof trustArguments>,
  { host }: Context,
): Promise<Result> {
  const address = checkStateAddress(url, 'URL', false);
  trustState(host, address);
  return { kind: 'done', message: `.telctl.yaml files may choose the state ${address}.` };
}
