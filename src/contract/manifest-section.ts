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

/** A section of manifests, with all that its resource leaves to the usual filled in. */
export interface ManifestSection {
  readonly name: SectionName;
  readonly resource: Resource;
  /** Place among the sections; those at the end have no number. */
  readonly order: number;
  /** `many`: objects by local name. `one`: the section is the object. */
  readonly shape: 'many' | 'one';
  /** Shape of the record, or of the part of it that the section holds. */
  readonly schema: Schema;
  /**
   * Fields by which an object of the manifest is found in the account, best first. `id`: the local name is the id
   * itself (a phone number). None for what an account has once.
   */
  readonly keys: readonly string[];
  readonly calls: Readonly<Partial<Record<SectionCall, Operation>>>;
  /** Content types of the texts that stand beside the record, by the fields that hold them. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly inherited?: InheritedFacts;
  readonly assigned?: AssignedFacts;
  /** A change can add charges, which the service tells by a 402. */
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
  // A section of its own name with a body of its own holds that body: the rules of selectors.
  const body = name === resource.name ? undefined : calls.replace?.body;
  const keys = resource.naturalKeys.length === 0 ? ['id'] : resource.naturalKeys;
  let schema: Schema | undefined;
  return {
    name,
    order: facts.order ?? Infinity,
    resource,
    shape,
    // Made when somebody looks at it, as that of the resource is.
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

/** The shape of a record with the texts that stand beside it. */
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

/** The sections of manifests that hold records of a resource, in their order; none where manifests leave it out. */
export function sectionsOf(resource: Resource): readonly ManifestSection[] {
  const { absent, sections = [{}] } = resource;
  const held = absent?.manifests === undefined ? sections : [];
  const made = known.get(resource) ?? inSectionOrder(held.map((facts) => section(resource, facts)));
  known.set(resource, made);
  return made;
}
