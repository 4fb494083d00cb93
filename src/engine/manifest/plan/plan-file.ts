import type { LedgerEntry } from '../../state/ledger.ts';
import type { DesiredObject } from '../desired.ts';
import { fileHash } from '../ledger/hashing.ts';
import type { LiveObject } from '../observed.ts';
import type { Change, Step } from '../plan.ts';
import type { Draft, ObjectPlanning } from './plan-object.ts';

/**
 * Adds to the plan of an object the upload of the file that the manifest names for it: a step of its own after the one
 * that creates or changes the object, so that an upload that fails is made up for by the next apply; or the object's
 * only step. Nothing is sent where the service is known to hold just that file.
 */
export function withFile(planning: ObjectPlanning, object: DesiredObject, draft: Draft): readonly Draft[] {
  const { file } = object;
  const { step } = draft;
  if (file === undefined || step.action === 'unverifiable') return [draft];
  const live = planning.observed.matches.get(object.key);
  const known = planning.entries.get(object.key);
  const kept = known !== undefined && known.id === live?.id ? known.file : undefined;
  const same: Draft = { ...draft, step: { ...step, file } };
  if (live !== undefined && isStored(planning, object, live, kept)) return [same];
  const drift = live !== undefined && changedByOthers(live, kept);
  const change: Change = {
    path: 'file',
    how: sizeOf(live) === undefined ? 'set' : 'changed',
    ...(sizeOf(live) === undefined ? {} : { before: { bytes: sizeOf(live) ?? 0 } }),
    after: { bytes: file.bytes, type: file.type },
    ...(drift ? { drift } : {}),
  };
  const upload = {
    action: 'update',
    changes: [change],
    send: {},
    by: 'upload',
    file,
    ...(drift ? { drifted: ['file'] } : {}),
  } as const;
  if (step.by === undefined) return [{ ...same, step: { ...step, ...upload } }];
  const second: Step = {
    ...{ kind: step.kind, name: step.name, label: step.label, managed: step.managed, protect: step.protect },
    ...(step.id === undefined ? {} : { id: step.id }),
    ...upload,
    key: `${step.key}:file`,
    after: [],
    notes: [],
    completes: step.key,
  };
  return [draft, { step: second, record: undefined, next: undefined, refersTo: [step.key] }];
}

/** Size of the file that an object has, as far as it is known. */
function sizeOf(live: LiveObject | undefined): number | undefined {
  const said = live?.file?.bytes ?? live?.record?.content_length;
  return typeof said === 'number' ? said : undefined;
}

/** Tells whether the service holds the wanted file: as it was uploaded by telctl, or as it was fetched just now. */
function isStored(
  { salt }: ObjectPlanning,
  { kind, file }: DesiredObject,
  live: LiveObject,
  kept: LedgerEntry['file'],
): boolean {
  if (file === undefined) return true;
  if (kept === undefined) return live.file?.sha256 === file.sha256;
  return kept.hash === fileHash(salt, { kind, id: live.id }, file.sha256) && !changedByOthers(live, kept);
}

/** Tells whether a file has another size than the service gave it after the last upload. */
function changedByOthers({ record }: LiveObject, kept: LedgerEntry['file']): boolean {
  const now = record?.content_length;
  return typeof now === 'number' && kept?.bytes !== undefined && kept.bytes !== now;
}
