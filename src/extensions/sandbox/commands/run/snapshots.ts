import { createHint, Failure, nextStep } from '../../../../base/failure.ts';
import { findNearest } from '../../../../base/nearest.ts';
import type { InputOf } from '../../../../cli/command/command.ts';
import type { Context } from '../../../../cli/command/context.ts';
import type { Result } from '../../../../cli/command/result.ts';
import { confirmChange, dryRunMessage } from '../../../../cli/commands/change.ts';
import { controlAt, openControl, type SandboxControl } from '../../control-client.ts';
import { requireRunning, runningState, stopProcess } from '../../running-state.ts';
import {
  databasePath,
  describeTarget,
  type RecordStorage,
  type SandboxPaths,
  type SandboxTarget,
  seedPath,
  selectStorage,
  selectTarget,
} from '../../sandbox-paths.ts';
import type { snapshotArguments } from '../commands.ts';
import type { nameOptions } from '../options.ts';
import { launch, signInSandbox } from './launch.ts';

type Options = typeof nameOptions;
type Named = InputOf<Options, typeof snapshotArguments>;

function formatSize(size: number): string {
  return size < 1_000_000 ? `${Math.ceil(size / 1000)} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
}

const snapshotsOf = async (control: SandboxControl) => (await control.request('snapshots', {})).snapshots;

async function requireSnapshot(control: SandboxControl, snapshot: string): Promise<void> {
  const names = (await snapshotsOf(control)).map(({ name }) => name);
  if (names.includes(snapshot)) return;
  const near = findNearest(snapshot, names);
  throw new Failure('not_found', `Snapshot ${JSON.stringify(snapshot)} not found.`, {
    hint: near === undefined ? nextStep`sandbox snapshot list` : `Did you mean ${near}?`,
  });
}

export async function saveSnapshot(input: Named, context: Context): Promise<Result> {
  const control = await openControl(context, input.name);
  const { snapshot } = input;
  const isTaken = (await snapshotsOf(control)).some(({ name }) => name === snapshot);
  if (context.options.dryRun)
    return dryRunMessage(`${isTaken ? 'replace' : 'save'} the snapshot ${snapshot}`);
  if (isTaken) await confirmChange(context, `Replace the snapshot ${snapshot}?`, 'Nothing was saved.');
  const saved = await control.request('saveSnapshot', { name: snapshot, replace: isTaken });
  return { kind: 'done', message: `Saved snapshot ${snapshot} (${formatSize(saved.bytes)})`, value: saved };
}

/** Replaces all records with a snapshot, and signs the profile in again. */
export async function loadSnapshot(input: Named, context: Context): Promise<Result> {
  const control = await openControl(context, input.name);
  const { snapshot } = input;
  await requireSnapshot(control, snapshot);
  if (context.options.dryRun)
    return dryRunMessage(`replace everything in the sandbox by the snapshot ${snapshot}`);
  await confirmChange(
    context,
    `Replace everything in the sandbox by the snapshot ${snapshot}?`,
    'Nothing was loaded.',
  );
  const loaded = await control.request('loadSnapshot', { name: snapshot });
  const { now } = await control.request('clock', {});
  const { target } = control;
  if (target.kind === 'named')
    await signInSandbox(context, await requireRunning(context.host, target.paths), target.paths);
  return {
    kind: 'done',
    message: `Loaded snapshot ${snapshot}. The sandbox's clock says ${now.slice(0, 19)}Z`,
    value: { ...loaded, now },
  };
}

export async function listSnapshots(input: InputOf<Options>, context: Context): Promise<Result> {
  const all = await snapshotsOf(await openControl(context, input.name));
  const isForPeople = context.settings.output.value === 'table';
  return {
    kind: 'list',
    items: isForPeople ? all.map((each) => ({ ...each, size: formatSize(each.bytes) })) : all,
    noun: 'snapshots',
    columns: [
      { header: 'NAME', paths: ['name'] },
      { header: 'SIZE', paths: ['size'] },
      { header: 'CREATED', paths: ['created_at'] },
    ],
  };
}

export async function deleteSnapshot(input: Named, context: Context): Promise<Result> {
  const control = await openControl(context, input.name);
  const { snapshot } = input;
  await requireSnapshot(control, snapshot);
  if (context.options.dryRun) return dryRunMessage(`delete the snapshot ${snapshot}`);
  await confirmChange(context, `Delete the snapshot ${snapshot}?`, 'Nothing was deleted.');
  await control.request('deleteSnapshot', { name: snapshot });
  return { kind: 'done', message: `Deleted snapshot ${snapshot}` };
}

async function resetAccount(context: Context, name: string | undefined, account: string): Promise<Result> {
  const control = await openControl(context, name);
  const found = await control.request('findAccount', { account });
  const label = found.name;
  if (context.options.dryRun) return dryRunMessage(`erase everything in account ${label} of the sandbox`);
  const question = `Erase everything in account ${label} of the sandbox? Accounts below it and all others stay.`;
  await confirmChange(context, question, nothingErased);
  const done = await control.request('resetAccount', { account: found.account_id });
  return {
    kind: 'done',
    message: `Erased all data of account ${label}. Other accounts are unchanged.`,
    value: done,
  };
}

const nothingErased = 'Nothing was erased.';

const agree = (context: Context, which: string): Promise<void> =>
  confirmChange(context, `Erase everything in the sandbox ${which}?`, nothingErased);

/** Resets the sandbox of `sandbox exec`. Its variables stay valid. */
async function resetInExec(context: Context, target: SandboxTarget & { kind: 'exec' }): Promise<Result> {
  if (context.options.dryRun)
    return dryRunMessage(`erase everything in the sandbox ${describeTarget(target)}`);
  await agree(context, describeTarget(target));
  await controlAt(context, target, target).request('reset', {});
  return { kind: 'done', message: 'Erased all sandbox data. Account ids and API keys are unchanged.' };
}

/** Creates the refusal to reset a sandbox of `sandbox serve`. Only its terminal or container can restart it. */
const refuseForegroundReset = ({ name }: SandboxPaths): Failure =>
  new Failure('refused', `Sandbox ${name} runs in the foreground (sandbox serve). Restart it there.`, {
    hint: createHint`To erase one account: ${nextStep`sandbox reset --account NAME`}. To restore a snapshot: ${nextStep`sandbox snapshot load NAME`}`,
  });

/** Erases the records of a sandbox. If it was running, restarts it at the same address. */
export async function resetSandbox(input: InputOf<typeof nameOptions>, context: Context): Promise<Result> {
  const { host } = context;
  const { value: account, source } = context.settings.account;
  // Only a typed `--account` counts. A variable or a profile refers to an account of another service.
  if (source === 'option' && account !== undefined) return resetAccount(context, input.name, account);
  const target = selectTarget(host, input.name);
  if (target.kind === 'exec') return resetInExec(context, target);
  const { paths } = target;
  if (context.options.dryRun) return dryRunMessage(`erase everything in the sandbox ${paths.name}`);
  await agree(context, paths.name);
  const state = await runningState(host, paths);
  if (state?.isServed) throw refuseForegroundReset(paths);
  const usual = selectStorage(host, paths, { data: undefined, memory: undefined });
  const storage: RecordStorage = !state
    ? usual
    : state.folder === undefined
      ? { kind: 'memory' }
      : { kind: 'folder', folder: state.folder };
  if (state) await stopProcess(host, paths, state);
  if (storage.kind === 'folder') {
    const database = databasePath(storage.folder);
    const files = [
      seedPath(storage.folder),
      ...['', '-wal', '-shm', '-journal'].map((end) => database + end),
    ];
    for (const file of files) host.files.remove(file);
  }
  if (!state) return { kind: 'done', message: 'Erased all sandbox data. The sandbox is not running.' };
  const fresh = await launch(host, paths, storage, state);
  await signInSandbox(context, fresh, paths);
  return { kind: 'done', message: `Erased all sandbox data. Restarted at ${fresh.baseUrl}` };
}
