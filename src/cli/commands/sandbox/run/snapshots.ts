import { Failure, nextStep } from '../../../../base/failure.ts';
import { type JsonObject, objectsIn } from '../../../../base/json.ts';
import { nearest } from '../../../../base/nearest.ts';
import { controlOf, type SandboxControl } from '../../../../sandbox/control-line.ts';
import { needRunning } from '../../../../sandbox/running.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { confirmed, wouldDo } from '../../change.ts';
import type { snapshotArguments } from '../commands.ts';
import type { nameOptions } from '../options.ts';
import { signInSandbox } from './launch.ts';

type Options = typeof nameOptions;
type Named = InputOf<Options, typeof snapshotArguments>;

const place = '/sandbox/snapshots';

const snapshotRoute = (snapshot: string): string => `${place}/${encodeURIComponent(snapshot)}`;

function sizeOf(bytes: unknown): string {
  const size = typeof bytes === 'number' ? bytes : 0;
  return size < 1_000_000 ? `${Math.ceil(size / 1000)} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
}

async function snapshotsOf(control: SandboxControl): Promise<readonly JsonObject[]> {
  const { snapshots } = await control.get(place);
  return objectsIn(snapshots);
}

async function need(control: SandboxControl, snapshot: string): Promise<void> {
  const names = (await snapshotsOf(control)).map(({ name }) => String(name));
  if (names.includes(snapshot)) return;
  const near = nearest(snapshot, names);
  throw new Failure('not_found', `There is no snapshot ${JSON.stringify(snapshot)}.`, {
    hint: near === undefined ? nextStep`sandbox snapshot list` : `Did you mean ${near}?`,
  });
}

export async function saveSnapshot(input: Named, context: Context): Promise<Result> {
  const control = await controlOf(context, input.name);
  const { snapshot } = input;
  const isTaken = (await snapshotsOf(control)).some(({ name }) => name === snapshot);
  if (context.options.dryRun) return wouldDo(`${isTaken ? 'replace' : 'save'} the snapshot ${snapshot}`);
  if (isTaken) await confirmed(context, `Replace the snapshot ${snapshot}?`, 'Nothing was saved.');
  const saved = await control.post(place, { name: snapshot, replace: isTaken });
  return { kind: 'done', message: `Saved snapshot ${snapshot} (${sizeOf(saved.bytes)})`, value: saved };
}

/** Puts a snapshot in the place of everything, and signs the profile in to what there is then. */
export async function loadSnapshot(input: Named, context: Context): Promise<Result> {
  const control = await controlOf(context, input.name);
  const { snapshot } = input;
  await need(control, snapshot);
  if (context.options.dryRun) return wouldDo(`replace everything in the sandbox by the snapshot ${snapshot}`);
  await confirmed(
    context,
    `Replace everything in the sandbox by the snapshot ${snapshot}?`,
    'Nothing was loaded.',
  );
  const loaded = await control.post(`${snapshotRoute(snapshot)}/load`);
  const { now } = await control.get('/sandbox/clock');
  const { target } = control;
  if (target.kind === 'named')
    await signInSandbox(context, await needRunning(context.host, target.paths), target.paths);
  return {
    kind: 'done',
    message: `Loaded snapshot ${snapshot}. The sandbox's clock says ${String(now).slice(0, 19)}Z`,
    value: { ...loaded, now: now ?? null },
  };
}

export async function listSnapshots(input: InputOf<Options>, context: Context): Promise<Result> {
  const all = await snapshotsOf(await controlOf(context, input.name));
  const isForPeople = context.settings.output.value === 'table';
  return {
    kind: 'list',
    items: isForPeople ? all.map((each) => ({ ...each, size: sizeOf(each.bytes) })) : all,
    noun: 'snapshots',
    columns: [
      { header: 'NAME', paths: ['name'] },
      { header: 'SIZE', paths: ['size'] },
      { header: 'CREATED', paths: ['created_at'] },
    ],
  };
}

export async function deleteSnapshot(input: Named, context: Context): Promise<Result> {
  const control = await controlOf(context, input.name);
  const { snapshot } = input;
  await need(control, snapshot);
  if (context.options.dryRun) return wouldDo(`delete the snapshot ${snapshot}`);
  await confirmed(context, `Delete the snapshot ${snapshot}?`, 'Nothing was deleted.');
  await control.delete(snapshotRoute(snapshot));
  return { kind: 'done', message: `Deleted snapshot ${snapshot}` };
}
