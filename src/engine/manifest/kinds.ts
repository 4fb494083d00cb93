import { resources } from '../../contract/catalogue.ts';
import { inSectionOrder, type ManifestSection, sectionsOf } from '../../contract/manifest-section.ts';
import type { SectionName } from '../../contract/types.ts';

/** A section of a manifest: the plural noun, or the name of an object that an account has once. */
export type KindName = SectionName;

export type Kind = ManifestSection;

/** Every kind that a manifest can hold, in the order of sections in exported manifests and schemas. */
export const kinds: readonly Kind[] = inSectionOrder(resources.flatMap(sectionsOf));

const byName = new Map<string, Kind>(kinds.map((kind) => [kind.name, kind]));

export const kindOfSection = (section: string): Kind | undefined => byName.get(section);

/** The kind of an object that was read already. An unknown one is a bug. */
export function kindByName(name: string): Kind {
  const found = byName.get(name);
  if (!found) throw new Error(`There is no kind ${name}.`);
  return found;
}

/** True for the accounts below an account: what one refers to lies in itself. */
export const isSubaccount = ({ name }: Kind): boolean => name === 'accounts';

/** Key of an object by its local name: `users.alice`; the section's name for objects that an account has once. */
export const keyWithin = ({ name, shape }: Kind, local: string): string =>
  shape === 'one' ? name : `${name}.${local}`;

/** The local name in a key; it may hold dots. */
export const nameInKey = (key: string): string => key.slice(key.indexOf('.') + 1);
