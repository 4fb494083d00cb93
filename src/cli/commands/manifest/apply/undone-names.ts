import { isObject } from '../../../../base/json.ts';
import { kindsNamed } from '../../../../contract/callflow-modules.ts';
import { referencesOfRecord } from '../../../../contract/record-references.ts';
import type { ResourceName } from '../../../../contract/types.ts';
import { kindOf } from '../../../../engine/manifest/kinds.ts';
import { serviceOf } from '../../../../engine/manifest/service.ts';
import type { Context } from '../../../command/context.ts';
import { namesFrom } from '../../read-account.ts';
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
    const lists = [...kinds].map((name) =>
      namesFrom(name, async () => {
        const kind = kindOf(name);
        return kind?.shape === 'many' ? (await service.list(kind))?.items : undefined;
      }),
    );
    for (const list of await Promise.all(lists)) for (const [id, name] of list ?? []) names.set(id, name);
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
