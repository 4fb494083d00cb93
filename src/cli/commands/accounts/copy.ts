import { Readable } from 'node:stream';
import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { formatCount, quoteName } from '../../../base/wording.ts';
import { accounts } from '../../../contract/resources/accounts.ts';
import { type ApplyReport, reportCounts } from '../../../engine/manifest/plan.ts';
import { createService, type Service } from '../../../engine/manifest/service.ts';
import type { Run } from '../../../engine/state/runs.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { findAccount } from '../bulk/choose-accounts.ts';
import { confirmChange } from '../change.ts';
import { applyJob, requireUnfinishedRun, unfinishedRun } from '../manifest/apply/apply-job.ts';
import { stepsToSend } from '../manifest/apply/apply-plans.ts';
import { applyResult } from '../manifest/apply/apply-report.ts';
import { exportedText } from '../manifest/export/export.ts';
import { readManifestInput } from '../manifest/manifest-input.ts';
import { noPlanningOptions, type Planning, planAccounts } from '../manifest/plan/planning.ts';
import { openGeneratedPasswords } from '../passwords/passwords-file.ts';
import { getRecord } from '../records/find-named.ts';
import { adaptManifest } from './adapt-manifest.ts';
import type { accountCopyOptions, copyArguments } from './commands.ts';
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

interface CopyTarget {
  readonly context: Context;
  readonly service: Service;
  readonly name: string;
  readonly isOwn: boolean;
  readonly isEmpty: boolean;
  readonly setName: string;
  readonly interrupted: Run | undefined;
}

/** Copies the contents of an account to another account. Reports every obstacle before the first change. */
export async function copyAccount(input: CopyInput, context: Context): Promise<Result> {
  const [from, to] = [await findAccount(context, input.from), await findAccount(context, input.to)];
  if (from === to)
    throw new Failure('usage', `${quoteName(input.from)} and ${quoteName(input.to)} are the same account.`);
  const numbers = await readNumberMap(context.host, input.numbers);
  const passwords = openGeneratedPasswords(
    inAccount(context, to),
    input.generatePasswords,
    input.resume ?? false,
  );
  const source = createService(await context.api(), from);
  const target = await openTarget(context, input, from, to, passwords?.hasEarlier === true);
  const { exported, manifest, notCopied } = await readCopiedManifest(context, input, {
    source,
    target,
    numbers,
  });
  const givesPasswords = passwords !== undefined;
  const opening = {
    manifest,
    givesPasswords,
    isUnmanaged: input.set === undefined,
    refuse: (planning: Pick<Planning, 'accounts'>) => refuseObstacles(planning, target, givesPasswords),
  };
  let run: string | undefined;
  /** Ids of objects from an interrupted copy, whose files may be missing. */
  let earlier: ReadonlyMap<string, string> = new Map();
  return applyJob(target.context, {
    planInput,
    passwords,
    async plan(more = {}) {
      const planning = await planAccounts(target.context, planInput, { ...more, ...opening });
      const steps = stepsToSend(planning.accounts);
      const kinds = new Set(steps.map(({ kind }) => kind)).size;
      context.notices.say(
        `From ${quoteName(exported.account.name)} to ${target.name}: ${formatCount(steps.length, 'object')} of ${formatCount(kinds, 'kind')}.`,
      );
      if (notCopied.length > 0) context.notices.say(`Not copied: ${notCopied.join('; ')}.`);
      if (target.interrupted) earlier = observedIds(planning);
      return planning;
    },
    async confirm({ accounts }) {
      const { length } = stepsToSend(accounts);
      await confirmChange(
        context,
        `Create ${length === 1 ? 'this 1' : `these ${length}`} in ${target.name}?`,
      );
    },
    async onRunStart(id) {
      run = id;
    },
    async end(reports) {
      if (run === undefined && earlier.size === 0)
        return { kind: 'done', message: 'Nothing to copy.', value: { created: 0 } };
      const objects = exported.sections.flatMap((section) => section.objects);
      const ids = new Map([...earlier, ...createdIds(reports)]);
      const lost = await copyFiles(context, { source, target: target.service }, objects, ids);
      return copyResult(input, target, reports, { run, lost });
    },
  });
}

/**
 * Reads the target account. Throws `usage` if it has contents that no interrupted copy explains and `--into-existing`
 * is not set, or if `--resume` finds no copy.
 */
async function openTarget(
  context: Context,
  input: CopyInput,
  from: string,
  to: string,
  hasPasswords: boolean,
): Promise<CopyTarget> {
  const there = inAccount(context, to);
  const service = createService(await context.api(), to);
  const held = await listContents(service, context.settings.concurrency.value);
  const setName = input.set ?? `copy of ${(await getRecord(context, accounts, from)).name ?? from}`;
  // A copy that was killed before its first change left only its passwords.
  if (held.length > 0 || !hasPasswords)
    await requireUnfinishedRun(there, { resume: input.resume, set: setName });
  const interrupted = held.length > 0 ? await unfinishedRun(there, setName) : undefined;
  const name = quoteName(input.to);
  if (interrupted) context.notices.say(`Continuing the copy that run ${interrupted.run} started.`);
  else if (held.length > 0 && !input.intoExisting)
    throw new Failure('usage', `${name} has ${held.join(', ')}. Nothing was sent.`, {
      hint: 'To add the copy to the existing records, pass --into-existing.',
    });
  const isOwn = to === (await context.session()).profile.accountId;
  return { context: there, service, name, isOwn, isEmpty: held.length === 0, setName, interrupted };
}

/** Reads an account as a manifest for another account. Also lists the omitted contents. */
async function readCopiedManifest(
  context: Context,
  input: CopyInput,
  {
    source,
    target,
    numbers,
  }: {
    readonly source: Service;
    readonly target: CopyTarget;
    readonly numbers: ReadonlyMap<string, string>;
  },
) {
  const { exported, value } = await exportedText(
    { ...inAccount(context, source.accountId), options: { ...context.options, reveal: false } },
    { only: input.only, portable: input.only.length === 0, allFields: undefined, withAccount: undefined },
  );
  const { limits, ...others } = value;
  const setsLimits =
    !target.isOwn &&
    (input.only.includes('limits') || (await mayBeReseller(context, target.service.accountId)));
  const { document, omitted } = adaptManifest(setsLimits ? value : others, {
    numbers,
    administrators: input.administrators === true,
  });
  const stdin = Readable.from([Buffer.from(JSON.stringify(document))]);
  const manifest = await readManifestInput(
    { host: { ...context.host, stdin }, notices: context.notices },
    { ...planInput, file: ['-'], setName: target.setName },
    { conventionsLater: true },
  );
  const notCopied = [
    ...(setsLimits || limits === undefined
      ? []
      : [`limits, which only ${target.isOwn ? 'an account above' : 'the reseller'} sets`]),
    ...(await listUncopied(source, context.settings.concurrency.value)),
    ...omitted,
    ...exported.sections.flatMap(({ kind, missing }) =>
      missing === undefined ? [] : [`some ${kind.name}: ${missing}`],
    ),
    ...(value.vmboxes === undefined ? [] : ['voice messages']),
  ];
  return { exported, manifest, notCopied };
}

/** Throws `Failure` if users lack passwords, or if objects clash with those of the other account. */
async function refuseObstacles(
  planning: Pick<Planning, 'accounts'>,
  { context, name, isEmpty, interrupted }: CopyTarget,
  givesPasswords: boolean,
): Promise<void> {
  if (!givesPasswords) refuseWithoutPasswords(planning);
  await refuseClashes(context, planning, {
    account: name,
    isEmpty,
    copied: new Set(interrupted?.parts.flatMap(({ steps }) => steps.map(({ planned }) => planned.key))),
  });
}

/** `lost`: lines about files that could not be copied. */
function copyResult(
  { to, generatePasswords }: CopyInput,
  { isOwn, interrupted }: CopyTarget,
  reports: readonly ApplyReport[],
  { run, lost }: { readonly run: string | undefined; readonly lost: readonly string[] },
): Result {
  const undoOf = (id: string) => nextStep`undo ${id} ${isOwn ? [] : ['--account', to]}`;
  const undo = undoOf(run ?? interrupted?.run ?? '');
  // Without --resume, telctl would refuse the passwords file of this run.
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
      `Undo: ${undo}${run !== undefined && interrupted ? `, then ${undoOf(interrupted.run)}` : ''}`,
    ].join(' '),
    ...(lost.length === 0
      ? {}
      : { failure: new Failure('partial', ['Files of media were not copied:', ...lost]) }),
  };
}

/** Returns false only if the account of the session is known not to be above another account. */
async function mayBeReseller(context: Context, id: string): Promise<boolean> {
  const { accountId } = (await context.session()).profile;
  const { reseller_id: reseller, tree } = await getRecord(context, accounts, id);
  if (typeof reseller !== 'string' || !Array.isArray(tree)) return true;
  return tree.indexOf(accountId) <= tree.indexOf(reseller);
}

const observedIds = ({ accounts }: Planning): ReadonlyMap<string, string> =>
  new Map(accounts.flatMap(({ observed }) => [...observed.matches]).map(([key, { id }]) => [key, id]));

const createdIds = (reports: readonly ApplyReport[]): ReadonlyMap<string, string> =>
  new Map(
    reports.flatMap(({ results }) =>
      results.flatMap(({ step, id }) => (id === undefined ? [] : [[step.key, id] as const])),
    ),
  );
