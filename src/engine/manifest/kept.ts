import type { KeptObject, Plan } from './plan.ts';

/** Reasons for which an object that the manifest no longer names stays, each with what to do about it. */
const notes: Readonly<Record<KeptObject['why'], string>> = {
  'not-pruned': 'not deleted: --prune deletes it',
  protected: 'never deleted: it is protected',
  'signed-in': 'never deleted: it is signed in',
  'other-set': 'not deleted: another manifest set manages it',
  found:
    'not deleted: never adopted; to delete it, put it back, run telctl adopt, take it out again, and apply with --prune',
};

/** Says in a line why an object that the manifest no longer names stays. */
export const keptNote = ({ why }: KeptObject): string => notes[why];

/** Returns the texts about objects that the manifest no longer names, and that stay. */
export function keptTexts({ kept = [] }: Plan): readonly string[] {
  const labels = (why: readonly string[]): readonly string[] =>
    kept.filter((each) => why.includes(each.why)).map(({ label }) => label);
  const unpruned = labels(['not-pruned']);
  const others = labels(['other-set']);
  const they = unpruned.length === 1 ? 'it' : 'they';
  return [
    ...(unpruned.length === 0
      ? []
      : [`No longer in the manifest: ${listed(unpruned)}. With --prune ${they} would be deleted.`]),
    ...neverDeleted({ kept }),
    ...(others.length === 0
      ? []
      : [`No longer in the manifest, and managed by another set: ${listed(others)}.`]),
  ];
}

/** Objects that nobody may prune, since telctl found them and was never told to adopt them. */
export const foundObjects = ({ kept = [] }: Pick<Plan, 'kept'>): readonly KeptObject[] =>
  kept.filter(({ why }) => why === 'found');

/** Says which objects stay although the manifest no longer names them, whatever is asked for. */
export function neverDeleted(plan: Pick<Plan, 'kept'>): readonly string[] {
  const safe = (plan.kept ?? []).filter(({ why }) => why === 'protected' || why === 'signed-in');
  const labels = listed(safe.map(({ label }) => label));
  return [
    ...neverAdopted(plan),
    ...(safe.length === 0 ? [] : [`No longer in the manifest, and never deleted: ${labels}.`]),
  ];
}

/** Says which objects nobody may prune, since telctl found them and was never told to adopt them. */
function neverAdopted(plan: Pick<Plan, 'kept'>): readonly string[] {
  const found = foundObjects(plan).map(({ label }) => label);
  if (found.length === 0) return [];
  const [it, they, were] = found.length === 1 ? ['it', 'it', 'was'] : ['them', 'they', 'were'];
  return [
    `No longer in the manifest, and not deleted: never adopted: ${listed(found)}. To delete ${it}, put ${it} back, run telctl adopt, take ${it} out again, and apply with --prune; to leave ${it}, telctl state forget: ${they} ${were} found, not made by telctl.`,
  ];
}

const listed = (labels: readonly string[]): string =>
  labels.length > 5 ? `${labels.slice(0, 5).join(', ')} and ${labels.length - 5} more` : labels.join(', ');
