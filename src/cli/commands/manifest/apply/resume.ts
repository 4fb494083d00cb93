import { isAbsolute, join } from 'node:path';
import { createHint, Failure, type NextStep, nextStep } from '../../../../base/failure.ts';
import type { JsonObject } from '../../../../base/json.ts';
import type { InputFile } from '../../../../engine/manifest/desired.ts';
import { objectKey } from '../../../../engine/state/log.ts';
import { isDone, newestRuns, type Run, type RunPart, resumableRun } from '../../../../engine/state/runs.ts';
import type { Account } from '../../../../engine/state/state.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { quotedAccount } from '../../labels.ts';
import { withNeeds } from '../../manifest-options.ts';
import { openRuns } from '../../state/open-state.ts';
import type { applyArguments, applyOptions } from '../commands.ts';
import { noPlanningOptions, type Planning } from '../plan/planning.ts';
import { savedInput } from '../plan/save-plan.ts';

export type ApplyInput = InputOf<typeof applyOptions, typeof applyArguments>;

/**
 * Returns the last unfinished run of the account with its files and options. Options on the command line override those
 * of the run. Throws `Failure` of kind `usage` if there is no such run.
 */
export async function readUnfinishedApply(
  context: Context,
  owner: Account,
  input: ApplyInput,
): Promise<{ readonly run: Run; readonly input: ApplyInput }> {
  const run = await resumableRun(await openRuns(context), owner);
  const options = run?.parts[0]?.start.options;
  if (!run || !options) throw await nothingToResume(context, owner);
  if (run.state === 'running') throw stillRunning(run);
  const kept = savedInput(`The run ${run.run}`, options, input.var);
  if (kept.file.length === 0)
    throw new Failure('usage', `The last unfinished run, ${run.run}, was not started by apply.`, {
      hint: `To continue it, repeat its command: ${run.command}`,
    });
  const file = input.file.length > 0 ? input.file : resolveRunFiles(context, kept.file, options);
  if (file.includes('-') && input.file.length === 0)
    throw new Failure('usage', `The run ${run.run} read its manifest from standard input.`, {
      hint: createHint`Pass it again: ${nextStep`apply --resume -f -`}`,
    });
  return {
    run,
    input: {
      ...input,
      ...kept,
      file,
      allowFiles:
        input.allowFiles.length > 0 ? input.allowFiles : resolveRunFiles(context, kept.allowFiles, options),
      ...typedPlanOptions(input),
      generatePasswords:
        input.generatePasswords ??
        (typeof options.generatePasswords === 'string'
          ? resolveRunFiles(context, [options.generatePasswords], options)[0]
          : undefined),
      onError: input.onError ?? (options.onError === 'continue' ? 'continue' : undefined),
      overwrite: input.overwrite ?? (options.overwrite === true || undefined),
    },
  };
}

/** Returns the failure for a run that another process is still carrying out. */
export const stillRunning = ({ run, parts }: Run): Failure =>
  new Failure('conflict', `Run ${run} is still running (process ${parts[0]?.start.pid ?? ''}).`, {
    hint: 'Wait until it ends, or stop it with Ctrl-C.',
  });

/** Returns the failure of `--resume` without an unfinished run. Runs of other machines are unknown. */
async function nothingToResume(context: Context, owner: Account): Promise<Failure> {
  const account = await quotedAccount(context);
  let hasApplied = false;
  for await (const { what } of newestRuns(await openRuns(context), { account: owner }))
    hasApplied ||= what !== 'command';
  if (!hasApplied)
    return new Failure('usage', `This machine has no record of an apply on ${account}.`, {
      hint: 'Resume a run on the machine that started it, or apply the manifest again: it does not change what already matches.',
    });
  return new Failure(
    'usage',
    `There is nothing to resume: the last apply on ${account} from this machine is done.`,
    { hint: createHint`${nextStep`apply history ${withNeeds(context)}`} lists the runs.` },
  );
}

/** Returns the plan options given in addition to `--resume`, except files and folders. */
const typedPlanOptions = (input: ApplyInput): Partial<ApplyInput> =>
  Object.fromEntries(
    Object.entries(input).filter(
      ([key, value]) => Object.hasOwn(noPlanningOptions, key) && value !== undefined && !Array.isArray(value),
    ),
  );

/** Returns the paths of a run's files relative to the current folder. */
export function resolveRunFiles(
  { host }: Context,
  files: readonly string[],
  { cwd }: JsonObject,
): readonly string[] {
  if (typeof cwd !== 'string' || cwd === host.cwd) return files;
  // The same files may be in another folder on another machine. Their contents are compared later.
  if (host.files.kindOf(cwd) === undefined) return files;
  return files.map((file) => (file === '-' || isAbsolute(file) ? file : join(cwd, file)));
}

/** Throws `conflict` if the files changed since the run started. */
export const refuseChangedInputs = ({ run, parts }: Run, now: readonly InputFile[]): void =>
  refuseChangedFiles(`the run ${run}`, parts[0]?.start.inputs ?? [], now, nextStep`apply -f FILE`);

/** Like `refuseChangedInputs`, for any resumed command. `instead`: a command that accepts the new files. */
export function refuseChangedFiles(
  what: string,
  before: readonly InputFile[],
  now: readonly InputFile[],
  instead: NextStep,
): void {
  const changed = before.flatMap(({ name, sha256 }, index) => {
    const file = now[index];
    if (file === undefined) return [`${name} no longer exists`];
    return file.sha256 === sha256 ? [] : [`${file.name} was changed`];
  });
  const added = now.slice(before.length).map(({ name }) => `${name} is new`);
  const moved = [...changed, ...added];
  if (moved.length === 0) return;
  throw new Failure(
    'conflict',
    [`The manifest differs from that of ${what}. Nothing was sent.`, ...moved.map((each) => `  ${each}`)],
    { hint: createHint`Apply it again: ${instead}`, details: { moved } },
  );
}

export function wasConfirmed({ parts }: Run, { accounts }: Planning): boolean {
  return accounts.every(({ plan }) => {
    const part = parts.find(({ start }) => start.account.id === plan.account.id);
    return plan.steps.every(
      (step) => step.by === undefined || (part !== undefined && wasUnfinished(part, step)),
    );
  });
}

function wasUnfinished(
  { steps }: RunPart,
  step: Planning['accounts'][number]['plan']['steps'][number],
): boolean {
  const { action } = step;
  const left = steps.filter((each) => objectKey(each.planned) === objectKey(step) && !isDone(each));
  // A create may have succeeded with only some of its fields.
  return left.some(
    ({ planned, begin }) => planned.action === action || (begin !== undefined && action === 'update'),
  );
}
