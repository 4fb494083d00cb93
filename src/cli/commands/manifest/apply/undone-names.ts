import { Failure } from '../../../../base/failure.ts';
import { isObject } from '../../../../base/json.ts';
import { kindsNamed } from '../../../../contract/callflow-modules.ts';
import { referencesOfRecord } from '../../../../contract/record-references.ts';
import type { ResourceName } from '../../../../contract/types.ts';
import { kindOf } from '../../../../engine/manifest/kinds.ts';
import { type Service, serviceOf } from '../../../../engine/manifest/service.ts';
import type { Context } from '../../../command/context.ts';
import { shownName } from '../../names-by-id.ts';
import type { UndoneAccount } from './undone-account.ts';

/**
 * Names by id of what the shown changes of a reversal refer to. Each kind is listed once in each account, and none where
 * nothing is referred to.
 */
export async function namesInUndo(
  context: Context,
  accounts: readonly UndoneAccount[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const account of accounts) {
    const kinds = kindsShown(account);
    if (kinds.size === 0) continue;
    const service = serviceOf(await context.api(), account.accountId);
    const lists = await Promise.all([...kinds].map((kind) => namesOf(service, kind)));
    for (const [id, name] of lists.flat()) names.set(id, name);
  }
  return names;
}

/** Kinds of which an id stands in a change that is shown. */
function kindsShown({ part, plan, observed }: UndoneAccount): ReadonlySet<ResourceName> {
  const shown = JSON.stringify(
    plan.steps.flatMap(({ action, changes }) => (action === 'update' ? changes : [])),
  );
  const logged = part.steps.map(({ planned, begin }) => ({
    kind: kindOf(planned.kind),
    records: [begin?.before, begin?.after],
  }));
  const live = plan.steps.map(({ key, kind }) => ({
    kind: kindOf(kind),
    records: [observed.matches.get(key)?.record],
  }));
  return new Set(
    [...logged, ...live].flatMap(({ kind, records }) =>
      records.flatMap((record) =>
        kind && isObject(record)
          ? [...referencesOfRecord(kind, record)].filter(({ id }) => shown.includes(id)).flatMap(kindsNamed)
          : [],
      ),
    ),
  );
}

async function namesOf(
  service: Service,
  name: ResourceName,
): Promise<readonly (readonly [string, string])[]> {
  const kind = kindOf(name);
  if (kind?.shape !== 'many') return [];
  try {
    const { items = [] } = (await service.list(kind)) ?? {};
    return items.flatMap((item) => {
      const shown = shownName(name, item);
      return typeof item.id === 'string' && typeof shown === 'string' ? [[item.id, shown] as const] : [];
    });
  } catch (error) {
    // Without names the ids are shown, as for records that nobody may list.
    if (error instanceof Failure && error.kind !== 'interrupted') return [];
    throw error;
  }
}
