import type { Host } from '../../base/host/host.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { neutralise, neutraliseJson } from '../../base/neutralise.ts';
import type { Lines } from '../../base/wording.ts';
import type { OutputFormat } from '../../client/session/settings.ts';
import { loadedResource } from '../../contract/resource.ts';
import type { SchemaNode } from '../../contract/schema-node.ts';
import { listSecrets, redact } from '../../contract/secrets.ts';
import type { Column, ResourceName } from '../../contract/types.ts';
import type { Output } from './output.ts';
import type { Style } from './style.ts';

export interface View {
  readonly format: OutputFormat;
  readonly fields: readonly string[] | undefined;
  readonly allowUnknownFields: boolean;
  readonly query: string | undefined;
  readonly reveal: boolean;
  /** Runs synchronous work with a deadline. Signals can end the process during the work. */
  readonly runBlocking: Host['runBlocking'];
  readonly out: Output;
  readonly nowMs: number;
  readonly style: Style;
  readonly namesOf?: (kind: ResourceName) => Promise<ReadonlyMap<string, string> | undefined>;
  /** Time zone of the account for dates; `undefined` if it cannot be read. */
  readonly zoneOf?: () => Promise<string | undefined>;
  say(said: Lines): void;
  /** Must be called with secrets before they are printed. */
  disclose(secrets: Iterable<string>): void;
  warn(said: Lines): void;
}

const resourceNamed = async (name: ResourceName) =>
  loadedResource(name) ?? (await import('../../contract/catalogue.ts')).resourceByName(name);

/** Returns a function that masks the secrets in records of a resource, or discloses them with `--reveal`. */
export async function secretMask(
  name: ResourceName,
  { reveal, disclose }: Pick<View, 'reveal' | 'disclose'>,
): Promise<(value: Json) => Json> {
  const { schema } = await resourceNamed(name);
  const maskOne = (value: Json): Json => {
    if (!reveal) return redact(schema, value);
    const secrets = listSecrets(schema, value);
    if (secrets.length > 0) disclose(secrets);
    return value;
  };
  return (value) => (Array.isArray(value) ? value.map(maskOne) : maskOne(value));
}

/** Returns the parts of a value at dotted paths, nested as in the value and in the order of the paths. */
export function selectFields(value: Json, fields: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((item: Json) => selectFields(item, fields));
  if (!isObject(value)) return value;
  return fields.reduce<JsonObject>((chosen, path) => {
    const found = valueAt(value, path);
    return found === undefined ? chosen : setAtPath(chosen, path.split('.'), found);
  }, {});
}

/** Positions of an array become keys. */
function setAtPath(target: JsonObject, [key = '', ...more]: readonly string[], found: Json): JsonObject {
  const inner = Object.hasOwn(target, key) ? target[key] : undefined;
  const value = more.length === 0 ? found : setAtPath(isObject(inner) ? inner : {}, more, found);
  return { ...target, [key]: value };
}

export interface Presentation {
  readonly singular?: string;
  readonly naturalKeys: readonly string[];
  readonly columns: readonly Column[] | undefined;
  readonly schema?: SchemaNode;
}

/** Returns empty keys and columns for values that are not records of the contract. */
export async function presentationOf(resource: ResourceName | undefined): Promise<Presentation> {
  if (resource === undefined) return { naturalKeys: [], columns: undefined };
  return resourceNamed(resource);
}

/** Prints one value after `--query` and `--fields`. Secrets are already masked. */
export async function renderValue(
  value: Json,
  resource: ResourceName | undefined,
  view: View,
  schema?: SchemaNode,
): Promise<void> {
  if (view.query !== undefined) {
    const { runQuery: queried } = await import('./query.ts');
    // The result of a query is not a record of the resource.
    return renderPlain(await queried(value, view.query, view.runBlocking), undefined, view);
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
      if (!(await printNames(whole, resource, view))) throw (await import('./describe.ts')).namelessFailure();
      return;
    case 'csv':
    case 'table':
      return renderRecords(value, resource, view, own);
  }
}

/** Prints the name or id of each record. Returns false if a record has neither. */
export async function printNames(
  value: Json,
  resource: ResourceName | undefined,
  view: View,
): Promise<boolean> {
  const [{ nameInLine, plainText }, { naturalKeys }] = await Promise.all([
    import('./describe.ts'),
    presentationOf(resource),
  ]);
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
    const looks = await presentationOf(resource);
    return renderRows(records, Array.isArray(value) ? looks.columns : undefined, view, looks);
  }
  const { formatRecord, plainText, recordWithNames } = await import('./describe.ts');
  if (Array.isArray(value) || view.format === 'csv') {
    for (const item of records) await view.out.write(`${neutralise(plainText(item))}\n`);
    return;
  }
  const { schema: described = own } = await presentationOf(resource);
  // If a reply is a record or plain text, describe the record.
  const schema = described?.anyOf?.find(({ type }) => type === 'object') ?? described;
  if (!isObject(value) || schema === undefined) return view.out.write(await formatRecord(value, view.style));
  const { isPem } = await import('../../base/shown-form.ts');
  const { properties = {} } = schema;
  const inLines = Object.keys(properties).filter(
    (key) => properties[key]?.['x-shown-as'] === 'lines' && isPem(value[key]),
  );
  const named = view.fields === undefined ? await recordWithNames(value, schema, view.namesOf) : value;
  return view.out.write(
    await formatRecord(await prepareRecord(named, schema, view.zoneOf), view.style, new Set(inLines)),
  );
}

async function prepareRecord(value: JsonObject, schema: SchemaNode, zoneOf: View['zoneOf']): Promise<Json> {
  const { formatShownNumber } = await import('../../base/shown-form.ts');
  const { mapValue } = await import('../../contract/map-value.ts');
  const isDated = Object.entries(schema.properties ?? {}).some(
    ([key, node]) => node['x-shown-as'] === 'date' && typeof value[key] === 'number',
  );
  const zone = isDated ? await zoneOf?.() : undefined;
  const shown = mapValue(schema, value, (node, here) => {
    const form = node['x-shown-as'];
    return form && typeof here === 'number' ? formatShownNumber(form, here, zone) : undefined;
  });
  if (!isObject(shown)) return shown;
  const fields = ['id', ...Object.keys(schema.properties ?? {})];
  const first = fields.flatMap((field) =>
    Object.hasOwn(shown, field) ? [[field, shown[field]] as const] : [],
  );
  return { ...Object.fromEntries(first), ...shown };
}

export function jsonLine(value: Json): string {
  return neutraliseJson(JSON.stringify(value));
}

/** Formats a value as readable JSON, safe for a terminal. Indents lines after the first. */
export function jsonBlock(value: Json, indent = ''): string {
  const text = neutraliseJson(JSON.stringify(value, null, 2));
  return indent === '' ? text : text.replaceAll('\n', `\n${indent}`);
}
