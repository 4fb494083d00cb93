import { resources } from './catalogue.ts';
import { inSectionOrder, type ManifestSection, sectionsOf } from './manifest-section.ts';

/** Every section of manifests, in the order of exported manifests and schemas. */
export const manifestSections: readonly ManifestSection[] = inSectionOrder(resources.flatMap(sectionsOf));
