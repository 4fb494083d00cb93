import type { JsonObject } from '../../../base/json.ts';
import { comparedForm } from '../../../contract/schema.ts';
import type { Section } from '../../../engine/manifest/account-reader.ts';
import { isSubaccount, kinds } from '../../../engine/manifest/kinds.ts';
import { canonicalTexts, sharedNameKey } from '../../../engine/manifest/match-objects.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { quotedAccount } from '../labels.ts';
import { readAccountSections } from '../records/read-account.ts';

/** Other kinds are not read, so a service that fails to list them causes no failure. */
const comparedKinds = kinds.filter(
  (kind) =>
    !isSubaccount(kind) && kind.resource.absent?.find === undefined && sharedNameKey(kind) !== undefined,
);

function duplicateGroups(sections: readonly Section[]): readonly JsonObject[] {
  return sections.flatMap(({ kind, records }) => {
    const key = sharedNameKey(kind) ?? '';
    const named = records.flatMap((record) =>
      canonicalTexts(kind, record, key).map((name) => ({
        record,
        name,
        form: comparedForm(kind.resource, key, name),
      })),
    );
    return [...Map.groupBy(named, ({ form }) => form).values()]
      .filter((group) => group.length > 1)
      .flatMap((group) =>
        group.map(({ record, name }) => ({
          name,
          kind: kind.resource.singular,
          id: String(record.id),
          count: group.length,
        })),
      );
  });
}

/** Lists duplicates: records of one kind that share a name. */
export async function findDuplicateRecords(context: Context): Promise<ListResult> {
  const names = comparedKinds.map(({ name }) => name);
  const { sections, missing } = await readAccountSections(context, { whole: [], listed: names });
  const items = duplicateGroups(sections);
  return {
    kind: 'list',
    items,
    noun: 'doubles',
    among: `in ${await quotedAccount(context)}`,
    columns: [
      { header: 'NAME', paths: ['name'] },
      { header: 'KIND', paths: ['kind'] },
      { header: 'ID', paths: ['id'] },
    ],
    ...(missing.length > 0 ? { exit: 'partial' } : items.length === 0 ? { exit: 'not_found' } : {}),
  };
}
