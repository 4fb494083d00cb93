import { Failure } from '../base/failure.ts';
import { findNearest } from '../base/nearest.ts';
import { didYouMean } from '../base/wording.ts';
import { findFieldNode } from './schema.ts';
import type { SchemaNode } from './schema-node.ts';
import type { Resource } from './types.ts';

/** Returns the dotted paths of a name, which is a field, a list field or a heading. */
export function fieldsNamed(resource: Resource, name: string): readonly string[] | undefined {
  if (isField(resource, name)) return [name];
  return resource.columns.find(({ header }) => header === name.toUpperCase())?.paths;
}

function isField({ schema, listFields, columns }: Resource, path: string): boolean {
  const shown = ['id', '_read_only', ...listFields, ...columns.flatMap(({ paths }) => paths)];
  return (
    findFieldNode(schema, path) !== undefined ||
    shown.some((known) => path === known || path.startsWith(`${known}.`) || known.startsWith(`${path}.`))
  );
}

/** Returns paths in the order of the names. Throws `Failure` of kind `usage` for an unknown name. */
export const pathsNamed = (resource: Resource, names: readonly string[]): readonly string[] =>
  names.flatMap((name) => {
    const paths = fieldsNamed(resource, name);
    if (paths === undefined) throw unknownField(resource, name);
    return paths;
  });

export function unknownField(resource: Resource, name: string): Failure {
  const what = `${resource.name} have no field ${JSON.stringify(name)}.`;
  return new Failure('usage', `${what}${didYouMean(nearestFieldName(resource, name))}`, {
    hint: '--allow-unknown-fields accepts a field that only this service knows.',
  });
}

function nearestFieldName(resource: Resource, name: string): string | undefined {
  const { schema, listFields, columns } = resource;
  const keys = name.split('.');
  const known = keys.findLastIndex(
    (_, end) => findFieldNode(schema, keys.slice(0, end).join('.')) !== undefined,
  );
  const above = known > 0 ? keys.slice(0, known) : [];
  const node: SchemaNode = (above.length > 0 ? findFieldNode(schema, above.join('.')) : schema) ?? {};
  const headings = columns.map(({ header }) => header.toLowerCase());
  const others = above.length > 0 ? [] : ['id', ...listFields, ...headings];
  const near = findNearest(keys[above.length] ?? name, [...Object.keys(node.properties ?? {}), ...others]);
  return near === undefined ? undefined : [...above, near].join('.');
}

export function allowedValues({ schema }: Resource, path: string): readonly string[] {
  const node = findFieldNode(schema, path);
  if (node === undefined) return [];
  if (node.type === 'boolean') return ['true', 'false'];
  const items: SchemaNode = node.type === 'array' && node.items ? node.items : node;
  return (items.enum ?? items['x-convention']?.enum ?? []).map(String);
}
