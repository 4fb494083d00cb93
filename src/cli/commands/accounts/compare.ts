import { isEqualJson, isObject, type Json, type JsonObject, ownValue } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { findAccount } from '../bulk/choose-accounts.ts';
import { exportedText } from '../manifest/export/export.ts';
import type { compareArguments, compareOptions } from './commands.ts';

type CompareInput = InputOf<typeof compareOptions, typeof compareArguments>;

/** Compares the manifests of two accounts by section, natural key and field. */
export async function compareAccounts(input: CompareInput, context: Context): Promise<ListResult> {
  const ids = [await findAccount(context, input.one), await findAccount(context, input.other)];
  const [one, other] = await Promise.all(
    ids.map((id) =>
      // Both manifests have variables instead of secrets, so --reveal has no effect.
      exportedText(
        { ...context, options: { ...context.options, reveal: false }, accountId: async () => id },
        { only: input.only, portable: undefined, allFields: undefined, withAccount: undefined },
      ),
    ),
  );
  const items = compareManifests(one?.value ?? {}, other?.value ?? {});
  const sides = [one?.exported.account.name ?? input.one, other?.exported.account.name ?? input.other];
  const isWhole = one?.exported.isWhole === true && other?.exported.isWhole === true;
  if (!isWhole) context.notices.warn('Some records could not be read, so there may be more differences.');
  const isOther = items.length > 0 && input.exitCode === true;
  return {
    kind: 'list',
    items,
    noun: 'differences',
    among: `between ${sides.join(' and ')}, in ${formatCount(new Set(items.map(({ section }) => section)).size, 'section')}`,
    columns: [
      { header: 'SECTION', paths: ['section'] },
      { header: 'NAME', paths: ['name'] },
      { header: 'FIELD', paths: ['field'], sparse: true },
      { header: 'DIFFERENCE', paths: ['difference'], show: 'sentence' },
      { header: `IN ${sides[0] ?? ''}`, paths: ['one'], sparse: true },
      { header: `IN ${sides[1] ?? ''}`, paths: ['other'], sparse: true },
    ],
    ...(isWhole ? (isOther ? { exit: 'differences' } : {}) : { exit: 'partial' }),
  };
}

/** Returns a row for each object that only one manifest has, and for each field that differs. */
export function compareManifests(one: JsonObject, other: JsonObject): readonly JsonObject[] {
  return keysOf(one, other).flatMap((section) => {
    const [left, right] = [ownValue(one, section), ownValue(other, section)];
    const isMany = [left, right].every(
      (side) =>
        side === undefined || (isObject(side) && Object.values(side).every((each) => isObject(each ?? null))),
    );
    if (!isMany) return fieldDifferences({ section, name: section }, left, right, '');
    return keysOf(left, right).flatMap((name) =>
      fieldDifferences({ section, name }, ownValue(left, name), ownValue(right, name), ''),
    );
  });
}

const keysOf = (...sides: readonly (Json | undefined)[]): readonly string[] => [
  ...new Set(sides.flatMap((side) => (isObject(side) ? Object.keys(side) : []))),
];

function fieldDifferences(
  place: JsonObject,
  one: Json | undefined,
  other: Json | undefined,
  field: string,
): readonly JsonObject[] {
  if (isEqualJson(one, other)) return [];
  if (isObject(one) && isObject(other))
    return keysOf(one, other).flatMap((key) =>
      fieldDifferences(
        place,
        ownValue(one, key),
        ownValue(other, key),
        field === '' ? key : `${field}.${key}`,
      ),
    );
  const difference =
    other === undefined ? 'only in the first' : one === undefined ? 'only in the second' : 'differs';
  const isField = field !== '';
  return [
    {
      ...place,
      ...(isField ? { field } : {}),
      difference,
      ...(isField && one !== undefined ? { one } : {}),
      ...(isField && other !== undefined ? { other } : {}),
    },
  ];
}
