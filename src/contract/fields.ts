import type { ShownForm } from '../base/shown-form.ts';
import type { Does } from './capabilities.ts';
import type { ModuleKind } from './module-data.ts';
import type { NameList } from './name-lists.ts';
import type { Schema, SchemaNode, Static } from './schema-node.ts';
import type { KeptForm, KeyRef, ResourceName, Support } from './types.ts';

/** Rules of compatible services for a field, if the specification has none (JSON Schema words). */
export interface ConventionRules {
  readonly enum?: readonly (string | number)[];
  readonly default?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly minProperties?: number;
  readonly uniqueItems?: boolean;
  readonly pattern?: string;
  readonly format?: 'email' | 'uri';
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  /** The object is a step of such a flow, so its `data` must match its module. */
  readonly modules?: ModuleKind;
  readonly keyPattern?: string;
  readonly alsoType?: readonly ('string' | 'boolean' | 'number' | 'array' | 'object')[];
}

/** Facts in addition to the type. By default, a field is writable, supported and not secret. */
export interface FieldFacts {
  /** Shown on request, and never in logs, plans or exports. */
  readonly secret?: true;
  /** A URL that may contain a secret. User, password, query and fragment are masked. */
  readonly secretBearing?: true;
  /** The specification does not contain the field. Compatible services have it. */
  readonly source?: 'convention';
  /** The service sets the field, and refuses or ignores it in requests. */
  readonly readOnly?: true;
  /** Never returned, such as a password. */
  readonly writeOnly?: true;
  readonly ref?: ResourceName;
  /** Keys of the map are ids of this resource, or of the resource in the value's `type`. */
  readonly keyRef?: KeyRef;
  /**
   * Contains phone numbers as text, a list, or keys of a map. `extension`: digits that are never converted, such as
   * the number of a mailbox.
   */
  readonly dialled?: true | 'extension';
  /** Form of the stored text: lower case, or digits without leading zeros (0300 as 300). */
  readonly keptAs?: KeptForm;
  /** The service computes the field from other records, and its value disappears with them (Conventions). */
  readonly workedOut?: true;
  readonly support?: Support;
  /** Format for people: tables show `10 s` for 10000, and input accepts it. */
  readonly shownAs?: ShownForm;
  /** Capability that a request needs to write the field. */
  readonly does?: Does;
  /** Keys of this secret map whose values are not secret. */
  readonly openKeys?: readonly string[];
  readonly names?: NameList;
  /**
   * Sends data or calls out of the account, or decides who may connect. An assistant changes the field only if the
   * user agrees.
   */
  readonly outward?: true;
  /** Decides who can sign in. An assistant changes the field only if the user agrees. */
  readonly signIn?: true;
  /** Keys that services use. They ignore other keys of the object. */
  readonly keyWords?: readonly string[];
  /** Services refuse or ignore other values, so a wrong value is an error, not a warning. */
  readonly exact?: true;
  /** Has an option: `--first-name`. A text is the name of the option, if it differs from the field's name. */
  readonly option?: true | string;
  /** Common values. Other values are also valid. */
  readonly examples?: readonly string[];
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly convention?: ConventionRules;
}

type Fields = Record<string, Schema>;

/** Schema keywords for facts that JSON Schema cannot express. */
export const contractWords = new Map([
  ['secret', 'x-secret'],
  ['secretBearing', 'x-secret-bearing'],
  ['source', 'x-source'],
  ['ref', 'x-ref'],
  ['keyRef', 'x-key-ref'],
  ['workedOut', 'x-worked-out'],
  ['dialled', 'x-dialled'],
  ['keptAs', 'x-kept-as'],
  ['does', 'x-does'],
  ['support', 'x-support'],
  ['option', 'x-option'],
  ['names', 'x-names'],
  ['shownAs', 'x-shown-as'],
  ['openKeys', 'x-open-keys'],
  ['outward', 'x-outward'],
  ['signIn', 'x-sign-in'],
  ['keyWords', 'x-key-words'],
  ['exact', 'x-exact'],
  ['convention', 'x-convention'],
]);

function node<T>(shape: SchemaNode, doc?: string, facts: FieldFacts = {}): Schema<T> {
  const { convention, secretBearing, readOnly } = facts;
  const isAddress = (secretBearing || convention?.format !== undefined) && readOnly !== true;
  const words = Object.entries({ ...(isAddress ? { outward: true } : {}), ...facts }).map(([fact, value]) => [
    contractWords.get(fact) ?? fact,
    value,
  ]);
  return { ...shape, ...(doc === undefined ? {} : { description: doc }), ...Object.fromEntries(words) };
}

type Values<F extends Fields> = { [K in keyof F]?: Static<F[K]> };
type RequiredValues<F extends Fields, K extends keyof F> = Values<F> & { [P in K]: Static<F[P]> };

export const text = (doc: string, facts?: FieldFacts) => node<string>({ type: 'string' }, doc, facts);

export const integer = (doc: string, facts?: FieldFacts) => node<number>({ type: 'integer' }, doc, facts);

export const number = (doc: string, facts?: FieldFacts) => node<number>({ type: 'number' }, doc, facts);

export const flag = (doc: string, facts?: FieldFacts) => node<boolean>({ type: 'boolean' }, doc, facts);

/** The specification does not define the type. Compatible services may define it. */
export const anything = (convention?: ConventionRules & { readonly type?: 'string' }) =>
  node<unknown>(
    convention
      ? { ...(convention.format === undefined ? {} : { 'x-outward': true }), 'x-convention': convention }
      : {},
  );

export const list = <T extends Schema>(items: T, doc: string, facts?: FieldFacts) =>
  node<Static<T>[]>({ type: 'array', items }, doc, facts);

export const texts = (doc: string, facts?: FieldFacts) => list(node<string>({ type: 'string' }), doc, facts);

/** The specification does not define the items. */
export const anyList = (doc: string, facts?: FieldFacts) => list(anything(), doc, facts);

/**
 * All fields are optional. Required fields are in the resource's `required` rules, because they differ between create
 * and update. Other keys are unknown fields.
 */
export const object = <F extends Fields>(properties: F, doc: string, facts?: FieldFacts) =>
  node<Values<F>>({ type: 'object', properties }, doc, facts);

/** For an object that only the service creates. `always` contains the fields that are always present (default: all). */
export const required = <F extends Fields, K extends keyof F & string>(
  properties: F,
  doc: string,
  always: readonly K[] | undefined = undefined,
) =>
  node<RequiredValues<F, K>>(
    { type: 'object', properties, required: always ?? Object.keys(properties) },
    doc,
  );

/** Accepts any keys. Values have one schema. */
export const mapOf = <T extends Schema>(values: T, doc: string, facts?: FieldFacts) =>
  node<Record<string, Static<T>>>({ type: 'object', additionalProperties: values }, doc, facts);

/** Accepts any keys and values. */
export const freeObject = (doc: string, facts?: FieldFacts) =>
  node<Record<string, unknown>>({ type: 'object', additionalProperties: true }, doc, facts);

/**
 * The specification leaves the object free. The named keys of compatible services are documented, masked and referred
 * to like other fields. `others` is the schema of other keys.
 */
export const openObject = <F extends Fields>(
  properties: F,
  doc: string,
  facts?: FieldFacts,
  others: Schema | true = true,
) =>
  node<Values<F> & Record<string, unknown>>(
    { type: 'object', properties, additionalProperties: others },
    doc,
    facts,
  );

/** Accepts any value. An object can contain other keys than the named ones. */
export const openValue = <F extends Fields>(properties: F) =>
  node<unknown>({ properties, additionalProperties: true });

/** Accepts any value. Text is the id of a record. */
export const anyReference = (ref: ResourceName, doc?: string) =>
  node<unknown>({ 'x-ref': ref, 'x-convention': { type: 'string' } }, doc);

export const either = <A extends Schema, B extends Schema>(one: A, other: B) =>
  node<Static<A> | Static<B>>({ anyOf: [one, other] });

/** The schema can contain itself as `self`. */
export function recursive<T>(name: string, build: (self: Schema) => Schema) {
  return node<T>({ ...build(node({ $ref: name })), $id: name });
}

/** Marks all fields as conventions of compatible services. */
export function markConventional(node: SchemaNode): SchemaNode {
  const fields = (all: Readonly<Record<string, SchemaNode>>) =>
    Object.fromEntries(
      Object.entries(all).map(([key, field]): [string, SchemaNode] => [
        key,
        { ...markConventional(field), 'x-source': 'convention' },
      ]),
    );
  const { properties, additionalProperties, items, anyOf } = node;
  return {
    ...node,
    ...(properties ? { properties: fields(properties) } : {}),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: markConventional(additionalProperties) }
      : {}),
    ...(items ? { items: markConventional(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(markConventional) } : {}),
  };
}
