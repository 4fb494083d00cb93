import { Failure, type HintSource } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { formatCount, shownAtMost } from '../../../base/wording.ts';
import { findModule } from '../../../contract/callflow-modules.ts';
import type { RecordReference } from '../../../contract/record-references.ts';
import { ringSeconds, sortedBranches } from '../../../engine/callflows/flow-set.ts';
import {
  membershipFields,
  type ReferredRecord,
  searchUses,
  type Use,
  type Uses,
} from '../../../engine/manifest/find-references.ts';
import { createService } from '../../../engine/manifest/service.ts';
import type { Context } from '../../command/context.ts';
import type { ReportRow } from '../../command/result.ts';
import { labelOf } from '../labels.ts';
import { readOptions } from '../records/read-account.ts';

const maxPlaces = 3;

/**
 * Returns the records that refer to `target`. Warns about kinds that the service cannot list. Throws like
 * `searchUses`.
 */
export async function findUses(context: Context, target: ReferredRecord): Promise<readonly Use[]> {
  const service = createService(await context.api(), await context.accountId());
  const found = await searchUses(service, [target], readOptions(context));
  warnUnlistedKinds(context, found);
  return found.uses;
}

/** Adds the records that a record itself joined. Only some services show them (Conventions, Directories). */
export async function withMemberships(
  context: Context,
  target: ReferredRecord,
  record: JsonObject,
  found: readonly Use[],
): Promise<readonly Use[]> {
  const fields = membershipFields(target.resource);
  if (fields.length === 0) return found;
  const service = createService(await context.api(), await context.accountId());
  const known = new Set(found.map(({ id }) => id));
  const uses: Use[] = [];
  for (const { field, in: kind, shownAs } of fields) {
    const value = record[field];
    for (const id of Object.keys(isObject(value) ? value : {}).filter((each) => !known.has(each))) {
      const got = await service.get(kind, id);
      if (got.found === 'none') continue;
      const place = {
        keys: [shownAs, target.id],
        path: shownAs,
        to: target.resource,
        word: target.resource,
        id: target.id,
        workedOut: true as const,
      };
      const stored = got.found === 'record' ? got.record : undefined;
      uses.push({ kind, id, record: { ...stored, id }, target, places: [place] });
    }
  }
  return [...found, ...uses];
}

/** Warns about kinds that could refer to the deleted record and cannot be read. */
export function warnUnlistedKinds({ notices }: Context, { unlisted }: Uses): void {
  if (unlisted.length === 0) return;
  const names = unlisted.map((name) => name.replaceAll('_', ' ')).join(', ');
  notices.warn(`This service cannot show ${names}, so references from them are unknown.`);
}

/** `callflow "Main line"`, `vmbox 2001` or `the account settings`. */
export const useLabel = ({ kind, record }: Use): string =>
  kind.shape === 'one' ? `the ${kind.name.replaceAll('_', ' ')}` : labelOf(kind.resource, record);

/** Describes the place of an id in a record: `owner`, `rings for 20 s, then voicemail`. */
function describePlace({ keys, id, step }: RecordReference): string {
  if (step) return describeStep(step, keys);
  const end = keys.findIndex((key) => key === id || /^(\d+|[0-9a-f]{32})$/.test(key));
  return keys
    .slice(0, end > 0 ? end : keys.length)
    .join('.')
    .replace(/_id$/, '');
}

function describeStep(step: NonNullable<RecordReference['step']>, keys: readonly string[]): string {
  const name = typeof step.module === 'string' && step.module !== '' ? step.module : 'a step';
  if (findModule(step)?.end !== 'rings') {
    const branches = keys.filter((_, index) => keys[index - 1] === 'children');
    return branches.length === 0 ? name : `${name}, after ${branches.join('/')}`;
  }
  const seconds = ringSeconds(step, true);
  const next = sortedBranches(step).find(([key]) => key === '_')?.[1].module;
  const then = typeof next === 'string' && next !== '' ? next : 'silence';
  return `rings${seconds === undefined ? '' : ` for ${seconds} s`}, then ${then}`;
}

export function describePlaces({ places }: Use): string {
  const texts = [...new Set(places.map(describePlace))];
  const more = texts.length - maxPlaces;
  return more > 0 ? [...texts.slice(0, maxPlaces), `${more} more`].join('; ') : texts.join('; ');
}

/** `callflow "Main line"   rings for 20 s, then voicemail`. */
export function useRows(uses: readonly Use[]): readonly ReportRow[] {
  const rows = uses.map((use) => ({ text: useLabel(use), right: describePlaces(use) }));
  const more = rows.length - shownAtMost;
  return more > 0 ? [...rows.slice(0, shownAtMost), { text: `… and ${more} more` }] : rows;
}

export const usageCount = (uses: readonly Use[]): string => `is used in ${formatCount(uses.length, 'place')}`;

const usesJson = (uses: readonly Use[]): Json =>
  uses.map(({ kind, id, record, places }) => ({
    kind: kind.shape === 'one' ? kind.name : kind.resource.singular,
    id,
    name: labelOf(kind.resource, record),
    places: places.map(({ path }) => path),
  }));

/** Returns the failure of a delete that references prevent. `hint` shows how to force the delete. */
export function inUseFailure(what: string, uses: readonly Use[], hint: HintSource): Failure {
  const sentence = `${what} ${usageCount(uses)}. Nothing was deleted.`;
  const lines = useRows(uses).map(({ text, right }) =>
    right === undefined ? `  ${text}` : `  ${text}: ${right}`,
  );
  return new Failure('refused', [sentence, ...lines], {
    hint,
    sentence,
    details: { used_by: usesJson(uses) },
  });
}
