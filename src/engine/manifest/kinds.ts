import { resources } from '../../contract/catalogue.ts';
import { inSectionOrder, type ManifestSection, manifestSections } from '../../contract/manifest-section.ts';
import type { SectionName } from '../../contract/types.ts';

/** The plural noun, or the name of an object that an account has once. */
export type KindName = SectionName;

export type Kind = ManifestSection;

/** In the order of sections in exported manifests and schemas. */
export const kinds: readonly Kind[] = inSectionOrder(resources.flatMap(manifestSections));

const byName = new Map<string, Kind>(kinds.map((kind) => [kind.name, kind]));

export const kindOfSection = (section: string): Kind | undefined => byName.get(section);

/** Throws for an unknown name, which is a bug. */
export function kindByName(name: string): Kind {
  const found = byName.get(name);
  if (!found) throw new Error(`There is no kind ${name}.`);
  return found;
}

/** References in sub-accounts are to their own objects. */
export const isSubaccount = ({ name }: Kind): boolean => name === 'accounts';

/** Returns `users.alice`. For objects that an account has once, returns the section's name. */
export const keyWithin = ({ name, shape }: Kind, local: string): string =>
  shape === 'one' ? name : `${name}.${local}`;

/** Returns the local name, which can contain dots. */
export const nameInKey = (key: string): string => key.slice(key.indexOf('.') + 1);
