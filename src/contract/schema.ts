import type { JsonObject } from '../base/json.ts';
import type { ShownForm } from '../base/shown-form.ts';
import { hexDigits, trimLeadingZeros } from './phone-number.ts';
import {
  findChildNode,
  resolveReference,
  type Schema,
  type SchemaNode,
  takesFreeKeys,
} from './schema-node.ts';
import type { Resource, StatementSource } from './types.ts';

/** `inList` is true for an item of an array, and inside one. */
type Rewrite = (node: SchemaNode, inList: boolean) => SchemaNode;

const mapValues = (nodes: Readonly<Record<string, SchemaNode>>, each: (node: SchemaNode) => SchemaNode) =>
  Object.fromEntries(Object.entries(nodes).map(([key, node]) => [key, each(node)]));

/** Rewrites a schema from the outside in. Nodes with an `$id` move to `$defs`, because they can be recursive. */
function rewriteSchema(schema: Schema, rewrite: Rewrite): SchemaNode {
  const defs = new Map<string, SchemaNode>();
  const walk: Rewrite = (node, inList) => {
    if (node.$ref !== undefined)
      return { $ref: node.$ref.startsWith('#') ? node.$ref : `#/$defs/${node.$ref}` };
    if (node.$id === undefined) return rewriteInner(rewrite(node, inList), inList);
    const { $id, ...rest } = node;
    if (!defs.has($id)) {
      defs.set($id, {});
      defs.set($id, rewriteInner(rewrite(rest, inList), inList));
    }
    return { $ref: `#/$defs/${$id}` };
  };
  const rewriteInner: Rewrite = (node, inList) => {
    const rewriteChild = (child: SchemaNode) => walk(child, inList);
    const { properties, patternProperties, additionalProperties, items, anyOf, $defs } = node;
    return {
      ...node,
      ...(properties ? { properties: mapValues(properties, rewriteChild) } : {}),
      ...(patternProperties ? { patternProperties: mapValues(patternProperties, rewriteChild) } : {}),
      ...(typeof additionalProperties === 'object'
        ? { additionalProperties: rewriteChild(additionalProperties) }
        : {}),
      ...(items ? { items: walk(items, true) } : {}),
      ...(anyOf ? { anyOf: anyOf.map(rewriteChild) } : {}),
      ...($defs ? { $defs: mapValues($defs, rewriteChild) } : {}),
    };
  };
  const root = walk(schema, false);
  return defs.size === 0 ? root : { ...root, $defs: Object.fromEntries(defs) };
}

const listTypes = (node: SchemaNode): readonly string[] =>
  node.type === undefined ? [] : typeof node.type === 'string' ? [node.type] : node.type;

const standardWords = new Map([
  ['alsoType', 'type'],
  ['keyPattern', 'patternProperties'],
  ['modules', 'module data'],
]);

const conventionWords = (node: SchemaNode, convention: object): readonly string[] =>
  Object.keys(convention)
    .filter((word) => !Object.hasOwn(node, word))
    .map((word) => standardWords.get(word) ?? word);

/**
 * Adds the rules of compatible services where the specification has none. With `marked`, each node lists its
 * conventional rules as `x-conventions`. Without `modules`, the data of flow steps is not validated. Without
 * `addsTypes`, a field only has the type of the specification.
 */
export function withConventions(
  schema: Schema,
  { marked = false, modules: checksModules = true, addsTypes = true } = {},
): SchemaNode {
  return rewriteSchema(schema, ({ 'x-convention': convention, ...node }) => {
    if (convention === undefined) return node;
    const { alsoType: others = [], keyPattern, additionalProperties, modules, ...words } = convention;
    const alsoType = addsTypes || node['x-source'] === 'convention' ? others : [];
    const values = node.additionalProperties;
    return {
      ...words,
      ...node,
      ...(modules === undefined || !checksModules ? {} : { 'x-modules': modules }),
      ...(alsoType.length > 0 ? { type: [...listTypes(node), ...alsoType] } : {}),
      // Client generators treat an array or object without details as empty.
      ...(alsoType.includes('array') ? { items: node.items ?? {} } : {}),
      ...(alsoType.includes('object') ? { additionalProperties: values ?? true } : {}),
      ...(additionalProperties === false ? { additionalProperties: false } : {}),
      ...(keyPattern !== undefined && typeof values === 'object'
        ? { patternProperties: { [keyPattern]: values }, additionalProperties: false }
        : {}),
      ...(marked ? { 'x-conventions': conventionWords(node, convention) } : {}),
    };
  });
}

/** Keeps only the specification's rules. Conventional fields become free keys. */
export function specificationSchema(schema: Schema): SchemaNode {
  return rewriteSchema(
    schema,
    ({ 'x-convention': _, properties, additionalProperties: others, ...node }) => ({
      ...node,
      ...(properties
        ? {
            properties: Object.fromEntries(
              Object.entries(properties).filter(([, field]) => field['x-source'] !== 'convention'),
            ),
          }
        : {}),
      ...(others === undefined
        ? {}
        : {
            additionalProperties:
              (typeof others === 'object' && others['x-source'] === 'convention') || others,
          }),
    }),
  );
}

/**
 * Returns the schema of complete records to send, without read-only fields. Defaults are in the description instead
 * of `default`, because client generators treat a field with `default` as always present.
 */
export function inputSchema(schema: Schema): SchemaNode {
  return rewriteSchema(schema, ({ default: filledIn, ...node }) => {
    const { properties, description = '' } = node;
    return {
      ...node,
      ...(properties
        ? {
            properties: Object.fromEntries(
              Object.entries(properties).filter(([, field]) => field.readOnly !== true),
            ),
          }
        : {}),
      ...(filledIn === undefined
        ? {}
        : { description: `${description} (default: ${JSON.stringify(filledIn)})`.trimStart() }),
    };
  });
}

/** Returns the schema of partial records. No field is required, and `null` removes a key, except in arrays. */
export function partialSchema(schema: Schema): SchemaNode {
  const loosened = rewriteSchema(schema, (node, inList) => {
    if (inList) return node;
    const { required: _, default: __, minProperties: ___, ...rest } = node;
    return {
      ...rest,
      ...(node.type === undefined ? {} : { type: [...listTypes(node), 'null'] }),
      ...(node.enum === undefined ? {} : { enum: [...node.enum, null] }),
      ...(node['x-modules'] === undefined ? {} : { 'x-modules-partial': true }),
    };
  });
  return { ...loosened, ...(schema.type === undefined ? {} : { type: schema.type }) };
}

/**
 * Returns the schema at a dotted path (`caller_id.external.name`, `comments.0.author`, `flow.children._.module`).
 * Returns `{}` if any value is allowed, `undefined` for an unknown path. A dot inside a key is `%2E`, and `*` is any
 * position in an array.
 */
export function findFieldNode(schema: Schema, path: string): SchemaNode | undefined {
  return path
    .split('.')
    .reduce<SchemaNode | undefined>(
      (here, key) => here && findChildNode(schema, here, key.replaceAll('%2E', '.')),
      resolveReference(schema, schema),
    );
}

export function knownKeys(schema: Schema): { readonly keys: readonly string[]; readonly free: boolean } {
  return { keys: Object.keys(schema.properties ?? {}), free: takesFreeKeys(schema) };
}

/** Returns true for a field that is only shown on request. */
export function isSecretField(node: Schema): boolean {
  return node['x-secret'] === true;
}

/** Returns true if a dotted path is, or is inside, a secret. */
export function isSecretPath(schema: Schema, path: string): boolean {
  const keys = path.split('.');
  return keys.some((_, index) => {
    const node = findFieldNode(schema, keys.slice(0, index + 1).join('.'));
    return node !== undefined && isSecretField(node);
  });
}

/** Returns dotted paths of secret fields, with `*` for positions and free keys. `redact` masks by value. */
export function secretPaths(resource: Resource): readonly string[] {
  const root: SchemaNode = resource.schema;
  const visit = (reference: SchemaNode, path: string, above: readonly SchemaNode[]): readonly string[] => {
    const node = resolveReference(root, reference);
    if (isSecretField(node)) return [path];
    if (above.includes(node)) return [];
    const inner = [...above, node];
    const at = (key: string) => (path === '' ? key : `${path}.${key}`);
    const others = [...Object.values(node.patternProperties ?? {}), node.additionalProperties, node.items];
    return [
      ...Object.entries(node.properties ?? {}).flatMap(([key, child]) => visit(child, at(key), inner)),
      ...others.flatMap((child) => (typeof child === 'object' ? visit(child, at('*'), inner) : [])),
    ];
  };
  return visit(root, '', []);
}

export interface OptionField {
  readonly field: string;
  readonly flag: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly doc: string;
  /** Allowed values of the specification. */
  readonly choices?: readonly string[];
  /** Values of compatible services. Other values can be sent. */
  readonly suggestions?: readonly string[];
  readonly ref?: Resource['name'];
  readonly form?: ShownForm;
}

const optionTypes = new Map<unknown, OptionField['type']>([
  ['string', 'string'],
  ['integer', 'integer'],
  ['number', 'number'],
  ['boolean', 'boolean'],
]);

/** Returns the top-level scalar fields with an option. Secrets have none. */
export function optionFields(resource: Resource): readonly OptionField[] {
  const root: SchemaNode = resource.schema;
  return Object.entries(root.properties ?? {}).flatMap(([field, node]) => {
    const type = optionTypes.get(node.type);
    const option = node['x-option'];
    if (option === undefined || option === false || type === undefined || isSecretField(node)) return [];
    const suggested = node['x-convention']?.enum ?? node.examples;
    return [
      {
        field,
        flag: typeof option === 'string' ? option : field.replaceAll('_', '-'),
        type,
        doc: node.description ?? '',
        ...(node.enum ? { choices: node.enum.map(String) } : {}),
        ...(suggested && !node.enum ? { suggestions: suggested.map(String) } : {}),
        ...(node['x-ref'] ? { ref: node['x-ref'] } : {}),
        ...(node['x-shown-as'] ? { form: node['x-shown-as'] } : {}),
      },
    ];
  });
}

/** Returns fields that a create or update must contain, according to the given sources. */
export function requiredFields(
  resource: Resource,
  on: 'create' | 'update',
  sources: readonly StatementSource[],
): readonly string[] {
  const rules = resource.required.filter((rule) => rule.on.includes(on) && sources.includes(rule.source));
  return [...new Set(rules.flatMap((rule) => rule.fields))];
}

/** Returns missing fields that must be set together with others (see `AllOrNoneRule`), each with one of those. */
export function missingCompanions(
  { together = [] }: Resource,
  record: JsonObject,
): readonly { readonly field: string; readonly beside: string }[] {
  const hasValue = (field: string): boolean => record[field] !== undefined && record[field] !== null;
  return together.flatMap(({ fields }) => {
    const beside = fields.find(hasValue);
    return beside === undefined
      ? []
      : fields.filter((field) => !hasValue(field)).map((field) => ({ field, beside }));
  });
}

/** Converts a value to the form that services compare: `Alice` to `alice`, the mailbox `0300` to `300`. */
export function comparedForm({ unique }: Pick<Resource, 'unique'>, field: string, text: string): string {
  const rule = unique.find((each) => each.field === field);
  if (rule?.hexDigits === true) return hexDigits(text);
  if (rule?.ignoreCase === true) return text.toLowerCase();
  return rule?.countsDigits === true ? trimLeadingZeros(text) : text;
}
