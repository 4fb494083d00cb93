import { Failure } from '../../../base/failure.ts';
import { nearest } from '../../../base/nearest.ts';
import { refersByField } from '../../../contract/record-references.ts';
import { type Kind, type KindName, kindByName, kindOf, kinds } from '../../../manifest/kinds.ts';
import type { ExportInput } from './export.ts';

/** No second account can have the same. */
const isOnlyHere = ({ shape, resource }: Kind): boolean =>
  shape === 'many' && resource.absent?.portable !== undefined;

/** A manifest can describe it, but where it is missing nothing can make it: it is exported where it is named. */
const isMadeElsewhere = ({ shape, calls }: Kind): boolean => shape === 'many' && calls.create === undefined;

/**
 * Kinds that a part of the account can refer to, and that are not in it: their lists say what the ids in it are of.
 */
export function namedBeside(wanted: ReadonlySet<KindName>): ReadonlySet<KindName> {
  const targets = [...wanted].flatMap((name) => [...refersByField(kindByName(name)).values()]);
  return new Set(targets.flatMap((to) => [...to].flatMap((name) => kindOf(name)?.name ?? [])));
}

/** The sections of an export, by its options. Throws `Failure` of kind `usage` where they name something else. */
export function sectionsOf({
  only,
  portable,
}: Pick<ExportInput, 'only' | 'portable'>): ReadonlySet<KindName> {
  const sections = kinds.map(({ name }) => name);
  if (only.length === 0)
    return new Set(
      kinds
        .filter((kind) => !isMadeElsewhere(kind) && !(portable === true && isOnlyHere(kind)))
        .map(({ name }) => name),
    );
  const names = only.flatMap((word) => word.split(',')).flatMap((word) => word.trim() || []);
  if (names.length === 0) throw new Failure('usage', '--only names no section, such as users,callflows.');
  return new Set(
    names.map((name) => {
      const kind = kindOf(name);
      if (kind) return kind.name;
      const near = nearest(name, sections);
      throw new Failure('usage', `--only takes sections of a manifest; ${JSON.stringify(name)} is none.`, {
        hint: near === undefined ? `Sections are ${sections.join(', ')}.` : `Did you mean ${near}?`,
      });
    }),
  );
}
