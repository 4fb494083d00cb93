import { omitUndefined } from '../base/json.ts';
import { text } from './fields.ts';
import type { Schema } from './schema-node.ts';
import type {
  AssignedFacts,
  InheritedFacts,
  Operation,
  Resource,
  SectionCall,
  SectionFacts,
  SectionName,
} from './types.ts';

/** A section of manifests with the defaults of its resource. */
export interface ManifestSection {
  readonly name: SectionName;
  readonly resource: Resource;
  readonly order: number;
  /** `many`: objects by local name. `one`: the section is the object. */
  readonly shape: 'many' | 'one';
  /** Schema of the record, or of its part in the section. */
  readonly schema: Schema;
  /**
   * Fields that identify an object in the account, best first. With `id`, the local name is the id (a phone number).
   * Empty for objects that an account has once.
   */
  readonly keys: readonly string[];
  readonly calls: Readonly<Partial<Record<SectionCall, Operation>>>;
  /** Content types of separately stored texts, by field of the manifest. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly inherited?: InheritedFacts;
  readonly assigned?: AssignedFacts;
  /** A change can add charges, so the service may respond with 402. */
  readonly mayCost?: true;
}

const usualCalls: NonNullable<SectionFacts['calls']> = {
  list: 'list',
  get: 'get',
  create: 'create',
  patch: 'patch',
  replace: 'update',
  delete: 'delete',
  upload: 'upload',
  download: 'download',
};

function section(resource: Resource, facts: SectionFacts): ManifestSection {
  const { name = resource.name, shape = resource.kind === 'singleton' ? 'one' : 'many' } = facts;
  const found = Object.entries(facts.calls ?? usualCalls).flatMap(([call, verb]) => {
    const operation = resource.operations.find((each) => each.verb === verb);
    if (operation === undefined && facts.calls) throw new Error(`${resource.name} has no operation ${verb}.`);
    return operation === undefined ? [] : [[call, operation] as const];
  });
  const calls: ManifestSection['calls'] = Object.fromEntries(found);
  // A section with its own name contains the body of its operation, such as the rules of selectors.
  const body = name === resource.name ? undefined : calls.replace?.body;
  const keys = resource.naturalKeys.length === 0 ? ['id'] : resource.naturalKeys;
  let schema: Schema | undefined;
  return {
    name,
    order: facts.order ?? Infinity,
    resource,
    shape,
    // Created on first use, like the resource's schema.
    get schema() {
      schema ??= withTexts(body?.kind === 'value' ? body.schema : resource.schema, facts.texts);
      return schema;
    },
    keys: shape === 'one' ? [] : keys,
    calls,
    ...omitUndefined({ texts: facts.texts, inherited: facts.inherited, assigned: facts.assigned }),
    ...(calls.replace?.effect === 'charges' ? { mayCost: true } : {}),
  };
}

const withTexts = (schema: Schema, texts: SectionFacts['texts'] = {}): Schema =>
  Object.keys(texts).length === 0
    ? schema
    : {
        ...schema,
        properties: {
          ...schema.properties,
          ...Object.fromEntries(
            Object.entries(texts).map(([field, type]) => [field, text(`The text of type ${type}`)]),
          ),
        },
      };

export const inSectionOrder = (sections: readonly ManifestSection[]): readonly ManifestSection[] =>
  sections.toSorted((one, other) => one.order - other.order || 0);

const known = new WeakMap<Resource, readonly ManifestSection[]>();

/** Returns the sections in order, or none if manifests do not support the resource. */
export function manifestSections(resource: Resource): readonly ManifestSection[] {
  const { absent, sections = [{}] } = resource;
  const held = absent?.manifests === undefined ? sections : [];
  const made = known.get(resource) ?? inSectionOrder(held.map((facts) => section(resource, facts)));
  known.set(resource, made);
  return made;
}
