import { type Kind, kindByName } from './kinds.ts';
import { canonicalTexts, indexByNaturalKey, sharedNameKey } from './match-objects.ts';
import { isMadeFor } from './own-ids.ts';
import { type ApplyReport, doneResults, type Observed } from './plan.ts';
import type { Service } from './service.ts';

/** Another runner created a record with the same name during the run. */
export interface Duplicate {
  readonly kind: Kind;
  readonly label: string;
  /** Sorted, so that every runner keeps the same one. */
  readonly ids: readonly string[];
}

/** Skips ids that telctl derives, which are unique. */
export async function findDuplicates(
  report: ApplyReport,
  { listed }: Pick<Observed, 'listed'>,
  service: Service,
): Promise<readonly Duplicate[]> {
  const { plan, accountId } = report;
  const owner = { accountId, set: plan.set };
  const created = doneResults(report).flatMap(({ step, id }) => {
    const key = sharedNameKey(kindByName(step.kind));
    const isChecked = step.by === 'create' && id !== undefined && key !== undefined;
    return isChecked && !isMadeFor(owner, step.key, id) ? [{ step, id, key }] : [];
  });
  const found: Duplicate[] = [];
  for (const [name, results] of Map.groupBy(created, ({ step }) => step.kind)) {
    const kind = kindByName(name);
    const index = indexByNaturalKey(kind, (await service.list(kind))?.items ?? []);
    const known = new Set([
      ...(listed.get(name) ?? []).map((item) => item.id),
      ...results.map(({ id }) => id),
    ]);
    for (const { step, id, key } of results) {
      const texts = canonicalTexts(kind, step.managed, key);
      const others = texts.flatMap((text) => index.idsOf(key, text)).filter((each) => !known.has(each));
      if (others.length > 0) found.push({ kind, label: step.label, ids: [id, ...others].toSorted() });
    }
  }
  return found;
}
