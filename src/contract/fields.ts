import { type TSchema, Type } from '@sinclair/typebox';
import type { ResourceName, Support } from './types.ts';

/** Rules that compatible services add to a field where the specification is silent (JSON Schema words). */
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
  /** No keys but the named ones. */
  readonly additionalProperties?: false;
  /** Expression that the keys of a map must match. */
  readonly keyPattern?: string;
  /** Other types that compatible services take as well. */
  readonly alsoType?: readonly ('string' | 'boolean' | 'number' | 'array' | 'object')[];
}

/** What may be said of a field beside its type. Left out: an ordinary, writable, supported field. */
export interface FieldFacts {
  /** Never shown unless asked for, never in logs, plans or exports. */
  readonly secret?: true;
  /** A URL that may carry a secret: shown, with user, password, query and fragment masked. */
  readonly secretBearing?: true;
  /** `convention`: the specification does not name the field at all; compatible services have it. */
  readonly source?: 'convention';
  /** Made by the service; refused or ignored in requests. */
  readonly readOnly?: true;
  /** Sent, never returned (a password). */
  readonly writeOnly?: true;
  /** Holds the id of a record of this resource. */
  readonly ref?: ResourceName;
  readonly support?: Support;
  /** Worth an option of its own: `--first-name`. */
  readonly option?: true;
  /** The specification's own rules. */
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** What compatible services add. */
  readonly convention?: ConventionRules;
}

type Fields = Record<string, TSchema>;

const described = (doc: string, facts: FieldFacts = {}) => {
  const {
    secret,
    secretBearing,
    source,
    readOnly,
    writeOnly,
    ref,
    support,
    option,
    convention,
    enum: allowed,
    ...rules
  } = facts;
  return {
    description: doc,
    ...rules,
    ...(allowed ? { enum: [...allowed] } : {}),
    ...(readOnly ? { readOnly } : {}),
    ...(writeOnly ? { writeOnly } : {}),
    ...(secret ? { 'x-secret': true } : {}),
    ...(secretBearing ? { 'x-secret-bearing': true } : {}),
    ...(source ? { 'x-source': source } : {}),
    ...(ref ? { 'x-ref': ref } : {}),
    ...(support ? { 'x-support': support } : {}),
    ...(option ? { 'x-option': true } : {}),
    ...(convention ? { 'x-convention': convention } : {}),
  };
};

/** A text field. */
export const text = (doc: string, facts?: FieldFacts) => Type.String(described(doc, facts));

/** A whole number. */
export const integer = (doc: string, facts?: FieldFacts) => Type.Integer(described(doc, facts));

/** Any number. */
export const number = (doc: string, facts?: FieldFacts) => Type.Number(described(doc, facts));

/** True or false. */
export const flag = (doc: string, facts?: FieldFacts) => Type.Boolean(described(doc, facts));

/** An array of one kind of item. */
export const list = <T extends TSchema>(items: T, doc: string, facts?: FieldFacts) =>
  Type.Array(items, described(doc, facts));

/** An array of text. */
export const texts = (doc: string, facts?: FieldFacts) => list(Type.String(), doc, facts);

/** An array whose items the specification leaves open. */
export const anyList = (doc: string, facts?: FieldFacts) => list(Type.Unknown(), doc, facts);

/**
 * An object with named fields. Every one is optional here: what must be present stands in the resource's
 * `required` rules, since it differs between create and update. Keys that are not named are unknown fields.
 */
export const object = <F extends Fields>(fields: F, doc: string, facts?: FieldFacts) =>
  Type.Partial(Type.Object(fields), described(doc, facts));

/** A free object: any keys, any values. `data` of a flow node is one. */
export const freeObject = (doc: string, facts?: FieldFacts) =>
  Type.Record(Type.String(), Type.Unknown(), described(doc, facts));

/**
 * An object that the specification leaves free, with the keys that compatible services use in it: any keys are
 * taken, the named ones are documented, masked and referred to like other fields.
 */
export const openObject = <F extends Fields>(fields: F, doc: string, facts?: FieldFacts) =>
  Type.Partial(Type.Object(fields), { ...described(doc, facts), additionalProperties: true });

/** An object whose keys are free and whose values share one shape. */
export const mapOf = <T extends TSchema>(values: T, doc: string, facts?: FieldFacts) =>
  Type.Record(Type.String(), values, described(doc, facts));
