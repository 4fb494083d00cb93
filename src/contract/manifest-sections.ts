import { resources } from './catalogue.ts';
import { inSectionOrder, type ManifestSection, sectionsOf } from './manifest-section.ts';

export const manifestSections: readonly ManifestSection[] = inSectionOrder(resources.flatMap(sectionsOf));
