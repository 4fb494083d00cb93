import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { neutraliseJson } from '../../base/neutralise.ts';
import { loadedResource } from '../../contract/resource.ts';
import type { SchemaNode } from '../../contract/schema-node.ts';
import type { Column, ResourceName } from '../../contract/types.ts';
import { selectFields, type View } from './view.ts';

/** The natural keys and columns by which a resource's records are shown. */
export interface Looks {
  /** The word for one of them, where there is one. */
  readonly singular?: string;
  readonly naturalKeys: readonly string[];
  readonly columns: readonly Column[] | undefined;
  readonly schema?: SchemaNode;
}

/** Returns the contract's way of showing a resource; nothing is known of other values. */
export async function looksOf(resource: ResourceName | undefined): Promise<Looks> {
  if (resource === undefined) return { naturalKeys: [], columns: undefined };
  return loadedResource(resource) ?? (await import('../../contract/catalogue.ts')).resourceByName(resource);
}

/** Shows one value after `--query` and `--fields`; secrets are masked already. */
export async function renderValue(
  value: Json,
  resource: ResourceName | undefined,
  view: View,
  schema?: SchemaNode,
): Promise<void> {
  if (view.query !== undefined) {
    const { queried } = await import('./query.ts');
    // What a query makes is no record of the resource any more.
    return renderPlain(await queried(value, view.query, view.endable), undefined, view);
  }
  return renderPlain(value, resource, view, schema);
}

async function renderPlain(
  whole: Json,
  resource: ResourceName | undefined,
  view: View,
  own?: SchemaNode,
): Promise<void> {
  const value = view.fields === undefined ? whole : selectFields(whole, view.fields);
  switch (view.format) {
    case 'json':
      return view.out.write(`${jsonBlock(value)}\n`);
    case 'ndjson':
      for (const item of Array.isArray(value) ? value : [value]) await view.out.write(`${jsonLine(item)}\n`);
      return;
    case 'yaml': {
      const { yamlText } = await import('./yaml-text.ts');
      return view.out.write(yamlText(value));
    }
    case 'name':
      if (!(await printNames(whole, resource, view))) throw (await import('./describe.ts')).nameless();
      return;
    case 'csv':
    case 'table':
      return renderRecords(value, resource, view, own);
  }
}

/** Prints the name or id of each record; false where one has neither. */
export async function printNames(
  value: Json,
  resource: ResourceName | undefined,
  view: View,
): Promise<boolean> {
  const [{ nameInLine }, { naturalKeys }] = await Promise.all([import('./describe.ts'), looksOf(resource)]);
  const { plainText } = await import('./cells.ts');
  const { neutralise } = await import('../../base/neutralise.ts');
  let isNamed = true;
  for (const item of Array.isArray(value) ? value : [value]) {
    const name = isObject(item) ? nameInLine(item, naturalKeys) : neutralise(plainText(item));
    if (name !== '') await view.out.write(`${name}\n`);
    else if (isObject(item)) isNamed = false;
  }
  return isNamed;
}

async function renderRecords(
  value: Json,
  resource: ResourceName | undefined,
  view: View,
  own: SchemaNode | undefined,
): Promise<void> {
  const records: readonly Json[] = Array.isArray(value) ? value : [value];
  if (
    records.every((item): item is JsonObject => isObject(item)) &&
    (Array.isArray(value) || view.format === 'csv')
  ) {
    const { renderRows } = await import('./render-rows.ts');
    const looks = await looksOf(resource);
    return renderRows(records, Array.isArray(value) ? looks.columns : undefined, view, looks);
  }
  if (Array.isArray(value) || view.format === 'csv') {
    const [{ plainText }, { neutralise }] = await Promise.all([
      import('./cells.ts'),
      import('../../base/neutralise.ts'),
    ]);
    for (const item of records) await view.out.write(`${neutralise(plainText(item))}\n`);
    return;
  }
  const { describe } = await import('./describe.ts');
  const { schema: described = own } = await looksOf(resource);
  // Of a reply that is a record or a word, the record is described.
  const schema = described?.anyOf?.find(({ type }) => type === 'object' && isObject(value)) ?? described;
  const { properties = {} } = schema ?? {};
  const { isPem } = await import('../../base/shown-form.ts');
  const inLines = Object.keys(properties).filter(
    (key) => properties[key]?.['x-shown-as'] === 'lines' && isObject(value) && isPem(value[key]),
  );
  const named =
    isObject(value) && schema !== undefined && view.fields === undefined
      ? await (await import('./shown-names.ts')).recordWithNames(value, schema, view.namesOf)
      : value;
  return view.out.write(await describe(await shownIn(named, schema), view.style, new Set(inLines)));
}

/** A record for people: its numbers in the forms in which they read them, its fields in the contract's order. */
async function shownIn(value: Json, schema: SchemaNode | undefined): Promise<Json> {
  if (!schema || !isObject(value)) return value;
  const { shownNumber } = await import('../../base/shown-form.ts');
  const { mapValue } = await import('../../contract/map-value.ts');
  const shown = mapValue(schema, value, (node, here) => {
    const form = node['x-shown-as'];
    return form && typeof here === 'number' ? shownNumber(form, here) : undefined;
  });
  return isObject(shown) ? inOrder(shown, ['id', ...Object.keys(schema.properties ?? {})]) : shown;
}

/** A record with these fields first, and those that nobody knows after them. */
const inOrder = (record: JsonObject, fields: readonly string[]): JsonObject => ({
  ...Object.fromEntries(
    fields.flatMap((field) => (Object.hasOwn(record, field) ? [[field, record[field]] as const] : [])),
  ),
  ...Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field))),
});

export function jsonLine(value: Json): string {
  return neutraliseJson(JSON.stringify(value));
}

/** A value as JSON for reading, safe to show at a terminal; lines after the first are moved in by `indent`. */
export function jsonBlock(value: Json, indent = ''): string {
  const text = neutraliseJson(JSON.stringify(value, null, 2));
  return indent === '' ? text : text.replaceAll('\n', `\n${indent}`);
}
