import { Failure, nextStep } from '../../../base/failure.ts';
import { durationOf } from '../../../base/moment.ts';
import { counted } from '../../../base/wording.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { accountsBelow, type ChosenAccount } from '../choose-accounts.ts';
import { whereText } from '../labels.ts';
import { checkManifest, openAccounts, planMany } from '../manifest/accounts/many-accounts.ts';
import { passwordGiver } from '../manifest/apply/generate-passwords.ts';
import { notifierOf } from '../webhooks/target-client.ts';
import { beginRollout } from './begin.ts';
import { carriedOut } from './carried-out.ts';
import { checkOf } from './check.ts';
import type { startArguments, startOptions } from './commands.ts';
import { wavesText } from './report.ts';
import { reviewedFleet } from './reviewed.ts';
import { failuresOf, usualFailures, usualWaves, wavesOf } from './waves.ts';
import { windowOf, windowText } from './window.ts';

type StartInput = InputOf<typeof startOptions, typeof startArguments>;

/** Begins a rollout: plans every account, asks once, keeps the record and carries it out. */
export async function startRollout(typed: StartInput, context: Context): Promise<Result> {
  if (typed.detach && (await context.state()).shared === undefined)
    throw new Failure(
      'usage',
      '--detach leaves the work to others, and this state is of this machine alone.',
      {
        hint: 'Name a state that machines share with --state postgres://USER@HOST/DATABASE.',
      },
    );
  const reviewed = typed.plan === undefined ? undefined : await reviewedFleet(context, typed.plan, typed);
  const input = reviewed === undefined ? typed : { ...typed, ...reviewed.input };
  const accounts = reviewed?.accounts ?? (await accountsOf(context, input));
  if (accounts.length === 0) throw new Failure('not_found', 'There is no account below the one acted on.');
  const maxFailures = failuresOf(input.maxFailures ?? usualFailures);
  const pauseMs = input.pause === undefined ? 0 : durationOf(input.pause, '--pause');
  const waves = wavesOf(input.waves ?? usualWaves, accounts.length);
  const window = input.window === undefined ? undefined : windowOf(input.window, input.windowZone);
  const check = checkOf(context, input.check);
  if (check && waves.length === 1)
    throw new Failure('usage', '--check runs between waves, and there is one.', {
      hint: `Name more with --waves, such as --waves ${usualWaves}.`,
    });
  const notify = await notifierOf(context, input.notifyFile);
  if (context.options.dryRun) return planMany(context, input, accounts);
  const { generatePasswords } = input;
  const passwords =
    generatePasswords === undefined ? undefined : passwordGiver(context, generatePasswords, false);
  const pause = input.pause === undefined ? '' : `, with ${input.pause} between them`;
  const when = window === undefined ? '' : `, ${windowText(window)}`;
  const id = await beginRollout(context, {
    input,
    list: reviewed?.list ?? input.accounts,
    accounts,
    how: {
      waves,
      pauseMs,
      maxFailures,
      window,
      where: input.where,
      reviewed: reviewed?.name,
      checked: check !== undefined,
      undoesFailures: input.undoOnFailure,
    },
    ...(reviewed ? { agreed: reviewed.agreed, shown: reviewed.shown } : {}),
    question({ failed }) {
      const without = failed === 0 ? '' : ` (${failed} cannot be planned)`;
      return `Roll this out to ${counted(accounts.length, 'account')}${whereText(input.where)} ${wavesText(waves)}${pause}${when}${without}?`;
    },
  });
  if (input.detach)
    return {
      kind: 'done',
      message: `Workers carry it out: ${nextStep`rollout worker`}. Watch: ${nextStep`rollout show ${id} --follow`}`,
      value: { rollout: id },
    };
  const vars = new Map(accounts.map((each) => [each.word, each.vars]));
  return carriedOut(context, id, { input, vars, passwords, check, notify });
}

async function accountsOf(context: Context, input: StartInput): Promise<readonly ChosenAccount[]> {
  if (input.accounts !== undefined) return openAccounts(context, input, input.accounts);
  if (input.below) {
    const accounts = await accountsBelow(context);
    await checkManifest(context, input, accounts);
    return accounts;
  }
  throw new Failure('usage', 'No accounts were named.', {
    hint: 'Name a list with --accounts FILE, or take all accounts below this one with --below.',
  });
}
