import { Readable } from 'node:stream';
import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { formatCount, quoteName } from '../../../base/wording.ts';
import { accounts } from '../../../contract/resources/accounts.ts';
import { type ApplyReport, reportCounts } from '../../../engine/manifest/plan.ts';
import { serviceOf } from '../../../engine/manifest/service.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { findAccount } from '../bulk/choose-accounts.ts';
import { confirmed } from '../change.ts';
import { applyJob, unfinishedRun } from '../manifest/apply/apply-job.ts';
import { stepsToSend } from '../manifest/apply/apply-plans.ts';
import { applyResult } from '../manifest/apply/apply-report.ts';
import { exportedText } from '../manifest/export/export.ts';
import { readManifestInput } from '../manifest/manifest-input.ts';
import { noPlanningOptions, type PlanOpening, planAccounts } from '../manifest/plan/planning.ts';
import { passwordGiver } from '../passwords/passwords-file.ts';
import { getRecord } from '../records/find-named.ts';
import type { accountCopyOptions, copyArguments } from './commands.ts';
import { copiedManifest } from './copied-manifest.ts';
import {
  copyFiles,
  listContents,
  listUncopied,
  readNumberMap,
  refuseClashes,
  refuseWithoutPasswords,
} from './copy-checks.ts';

type CopyInput = InputOf<typeof accountCopyOptions, typeof copyArguments>;

const inAccount = (context: Context, id: string): Context => ({ ...context, accountId: async () => id });

const planInput = { ...noPlanningOptions, allowUnknownFields: true };

/**
 * Copies the contents of an account to another account: adapts its manifest, and plans and applies it there.
 * Reports every obstacle before the first request that changes records.
 */
export async function copyAccount(input: CopyInput, context: Context): Promise<Result> {
  const [from, to] = [await findAccount(context, input.from), await findAccount(context, input.to)];
  if (from === to)
    throw new Failure('usage', `${quoteName(input.from)} and ${quoteName(input.to)} are the same account.`);
  const numbers = await readNumberMap(context.host, input.numbers);
  const there = inAccount(context, to);
  const { generatePasswords } = input;
  const passwords = passwordGiver(there, generatePasswords, input.resume ?? false);
  const api = await context.api();
  const [source, target] = [serviceOf(api, from), serviceOf(api, to)];
  const atOnce = context.settings.concurrency.value;
  const held = await listContents(target, atOnce);
  const setName = input.set ?? `copy of ${(await getRecord(context, accounts, from)).name ?? from}`;
  const interrupted = held.length > 0 ? await unfinishedRun(context, to, setName) : undefined;
  if (input.resume && !interrupted)
    throw new Failure(
      'usage',
      `The last run in ${quoteName(input.to)} is not an unfinished copy. Nothing was sent.`,
    );
  if (interrupted) context.notices.say(`Continuing the copy that run ${interrupted.run} began.`);
  else if (held.length > 0 && !input.intoExisting)
    throw new Failure('usage', `${quoteName(input.to)} holds ${held.join(', ')}. Nothing was sent.`, {
      hint: 'To add the copy to the existing records, pass --into-existing.',
    });
  const { exported, value } = await exportedText(
    { ...inAccount(context, from), options: { ...context.options, reveal: false } },
    { only: input.only, portable: input.only.length === 0, allFields: undefined, withAccount: undefined },
  );
  const { profile } = await context.session();
  const isOwn = to === profile.accountId;
  const { limits, ...others } = value;
  const setsLimits = !isOwn && (input.only.includes('limits') || (await mayBeReseller(context, to)));
  const administrators = input.administrators === true;
  const { document, left } = copiedManifest(setsLimits ? value : others, { numbers, administrators });
  const notCopied = [
    ...(setsLimits || limits === undefined
      ? []
      : [`limits, which only ${isOwn ? 'an account above' : 'the reseller'} sets`]),
    ...(await listUncopied(source, atOnce)),
    ...left,
    ...exported.sections.flatMap(({ kind, missing }) =>
      missing === undefined ? [] : [`some ${kind.name}: ${missing}`],
    ),
    ...(value.vmboxes === undefined ? [] : ['voice messages']),
  ];
  const name = exported.account.name;
  const stdin = Readable.from([Buffer.from(JSON.stringify(document))]);
  const manifest = await readManifestInput(
    { host: { ...context.host, stdin }, notices: context.notices },
    { ...planInput, file: ['-'], setName },
    { conventionsLater: true },
  );
  const givesPasswords = passwords !== undefined;
  const isUnmanaged = input.set === undefined;
  const refuse: PlanOpening['refuse'] = async (planning) => {
    if (!givesPasswords) refuseWithoutPasswords(planning);
    await refuseClashes(there, planning, {
      account: quoteName(input.to),
      isEmpty: held.length === 0,
      copied: new Set(interrupted?.parts.flatMap(({ steps }) => steps.map(({ planned }) => planned.key))),
    });
  };
  let run: string | undefined;
  /** Ids of objects that an interrupted copy created, whose files may be missing. */
  let earlier: ReadonlyMap<string, string> = new Map();
  return applyJob(there, {
    planInput,
    passwords,
    async plan(opening = {}) {
      const inThere = { ...opening, manifest, givesPasswords, refuse, isUnmanaged };
      const planning = await planAccounts(there, planInput, inThere);
      const steps = stepsToSend(planning.accounts);
      const count = new Set(steps.map(({ kind }) => kind)).size;
      context.notices.say(
        `From ${quoteName(name)} to ${quoteName(input.to)}: ${formatCount(steps.length, 'object')} of ${formatCount(count, 'kind')}.`,
      );
      if (notCopied.length > 0) context.notices.say(`Not copied: ${notCopied.join('; ')}.`);
      const matches = interrupted ? planning.accounts.flatMap(({ observed }) => [...observed.matches]) : [];
      earlier = new Map(matches.map(([key, { id }]) => [key, id]));
      return planning;
    },
    async confirm({ accounts }) {
      const { length } = stepsToSend(accounts);
      await confirmed(
        context,
        `Create ${length === 1 ? 'this 1' : `these ${length}`} in ${quoteName(input.to)}?`,
      );
    },
    async onRunStart(id) {
      run = id;
    },
    end: copied,
  });

  async function copied(reports: readonly ApplyReport[]): Promise<Result> {
    if (run === undefined && earlier.size === 0)
      return { kind: 'done', message: 'Nothing to copy.', value: { created: 0 } };
    const undoOf = (id: string) => nextStep`undo ${id} ${isOwn ? [] : ['--account', input.to]}`;
    const undo = undoOf(run ?? interrupted?.run ?? '');
    const isContinued = run !== undefined && interrupted !== undefined;
    const objects = exported.sections.flatMap((section) => section.objects);
    const lost = await copyFiles(
      context,
      { source, target },
      objects,
      new Map([...earlier, ...idsIn(reports)]),
    );
    // Without --resume, the passwords file of this run would be refused.
    const same = generatePasswords === undefined ? '' : ' Add --resume to keep its passwords file.';
    const result = applyResult(
      reports,
      createHint`To continue, run the same command again.${same} To remove the copy: ${undo}`,
    );
    if (result.kind !== 'done' || result.failure) return result;
    const created = reports.reduce((sum, report) => sum + reportCounts(report).created, 0);
    const seconds = reports.reduce((sum, { tookMs }) => sum + tookMs, 0) / 1000;
    return {
      ...result,
      message: [
        `Created ${created} in ${seconds.toFixed(1)} s.`,
        ...(generatePasswords === undefined ? [] : [`Passwords: ${generatePasswords} (0600).`]),
        `Undo: ${undo}${isContinued ? `, then ${undoOf(interrupted.run)}` : ''}`,
      ].join(' '),
      ...(lost.length === 0
        ? {}
        : { failure: new Failure('partial', ['Files of media were not copied:', ...lost]) }),
    };
  }
}

/** Returns false only if the account of the session is known not to be above another account. */
async function mayBeReseller(context: Context, id: string): Promise<boolean> {
  const { accountId } = (await context.session()).profile;
  const { reseller_id: reseller, tree } = await getRecord(context, accounts, id);
  if (typeof reseller !== 'string' || !Array.isArray(tree)) return true;
  return tree.indexOf(accountId) <= tree.indexOf(reseller);
}

/** Returns the ids of created objects, by their keys in the manifest. */
const idsIn = (reports: readonly ApplyReport[]): ReadonlyMap<string, string> =>
  new Map(
    reports.flatMap(({ results }) =>
      results.flatMap(({ step, id }) => (id === undefined ? [] : [[step.key, id] as const])),
    ),
  );
