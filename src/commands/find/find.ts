import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Section } from '../../callflows/flow-set.ts';
import { targetName } from '../../callflows/flow-set.ts';
import { type TextAt, textsOf } from '../../callflows/record-texts.ts';
import { shortId } from '../../callflows/step-label.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { normalisedNumber } from '../../contract/phone-number.ts';
import { shownField } from '../../contract/record-references.ts';
import { isSubaccount, type Kind, kinds } from '../../manifest/kinds.ts';
import { accountName } from '../labels.ts';
import { readSections } from '../read-account.ts';
import type { findArguments, findOptions } from './commands.ts';

/** Kinds that are searched, in the order in which hits are shown. */
export const searched = kinds.filter(
  (kind) => !isSubaccount(kind) && kind.resource.absent?.find === undefined,
);

/** Handler of `find`. */
export async function find(
  { text, exact }: InputOf<typeof findOptions, typeof findArguments>,
  context: Context,
): Promise<ListResult> {
  const wanted = text.trim();
  if (wanted === '') throw new Failure('usage', 'No search text was given.', { hint: 'telctl find alice' });
  const { sections, missing } = await readSections(context, { whole: searched.map(({ name }) => name) });
  const hits = search(sections, wanted, exact === true);
  const where = await accountName(context);
  return {
    kind: 'list',
    items: hits.map(shown),
    noun: 'places',
    among: `in ${where}`,
    columns: [
      { header: 'NAME', paths: ['name'] },
      { header: 'KIND', paths: ['kind'] },
      { header: 'WHERE', paths: ['path'], show: 'sentence' },
      { header: 'VALUE', paths: ['value'] },
      { header: 'MATCH', paths: ['match'], show: 'sentence' },
      { header: 'ID', paths: ['id'], show: 'id' },
    ],
    ...(missing.length > 0 ? { exit: 'partial' } : hits.length === 0 ? { exit: 'not_found' } : {}),
  };
}

const shown = ({ kind, id, name, path, value, fit }: Hit): JsonObject => ({
  name,
  kind: kind.shape === 'one' ? kind.name : kind.resource.singular,
  ...(id === '' ? {} : { id }),
  path,
  value,
  match: fit,
});

/**
 * The way a text fits: it is what was asked for, it refers to a thing of that name, or what was asked for is part of
 * it.
 */
type Fit = 'exact' | 'refers' | 'contains';

/** One place where something is used. */
interface Hit {
  readonly kind: Kind;
  readonly id: string;
  /** Name of the record. */
  readonly name: string;
  /** `flow/2/_ data.id`. */
  readonly path: string;
  readonly value: string;
  readonly fit: Fit;
}

interface Text extends TextAt {
  readonly kind: Kind;
  readonly record: JsonObject;
}

const order: readonly Fit[] = ['exact', 'refers', 'contains'];
const folded = (text: string): string => text.toLowerCase();

/**
 * Finds a number, id, name or address in the records of an account, the best hits first; ids count for the names of
 * what they name. Secrets are not looked at.
 */
export function search(sections: readonly Section[], text: string, isExact: boolean): readonly Hit[] {
  const texts = sections.flatMap(({ kind, records }) =>
    records.flatMap((record) =>
      [...textsOf(kind.schema, record)].map((each): Text => ({ ...each, kind, record })),
    ),
  );
  const meant = new Map(
    texts
      .filter((each) => names(each) && isEqual(each.text, text))
      .map(({ kind, record }) => {
        const label = `${kind.resource.singular} ${nameOf(kind, record)}`;
        return [String(record.id ?? ''), label] as const;
      }),
  );
  const hits = texts.flatMap((each): readonly Hit[] => {
    const fit = fitOf(each, text, meant, isExact);
    return fit === undefined ? [] : [hitOf(each, fit, meant)];
  });
  return order.flatMap((fit) => hits.filter((hit) => hit.fit === fit));
}

/** True when a text is what people know its record by. */
const names = ({ kind, keys, record }: Text): boolean => {
  const [field = ''] = keys;
  return typeof record.id === 'string' && ['id', 'name', 'email', ...kind.keys].includes(field);
};

const isEqual = (text: string, wanted: string): boolean =>
  folded(text) === folded(wanted) || normalisedNumber(text) === normalisedNumber(wanted);

function fitOf(
  { text, record }: Text,
  wanted: string,
  meant: ReadonlyMap<string, string>,
  isExact: boolean,
): Fit | undefined {
  if (isEqual(text, wanted)) return 'exact';
  if (meant.has(text) && record.id !== text) return 'refers';
  return !isExact && folded(text).includes(folded(wanted)) ? 'contains' : undefined;
}

const nameOf = (kind: Kind, record: JsonObject): string =>
  kind.shape === 'one'
    ? kind.name.replaceAll('_', ' ')
    : (targetName(kind.resource.name, record) ?? shortId(String(record.id ?? '')));

function hitOf({ kind, record, keys, text, isKey }: Text, fit: Fit, meant: ReadonlyMap<string, string>): Hit {
  return {
    kind,
    id: kind.shape === 'one' ? '' : String(record.id ?? ''),
    name: nameOf(kind, record),
    // A key is said by the value.
    path: shownField(isKey ? keys.slice(0, -1) : keys),
    value: fit === 'refers' ? (meant.get(text) ?? text) : text,
    fit,
  };
}
