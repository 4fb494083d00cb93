import type { Host } from '../../base/host/host.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { neutralise, neutraliseJson } from '../../base/neutralise.ts';
import type { Lines } from '../../base/wording.ts';
import type { OutputFormat } from '../../client/session/settings.ts';
import { loadedResource } from '../../contract/resource.ts';
import type { SchemaNode } from '../../contract/schema-node.ts';
import { redact, secretsIn } from '../../contract/secrets.ts';
import type { Column, ResourceName } from '../../contract/types.ts';
import type { Output } from './output.ts';
import type { Style } from './style.ts';

/** Settings for showing the result of one run. */
export interface View {
  readonly format: OutputFormat;
  readonly fields: readonly string[] | undefined;
  /** Fields that the contract does not know pass. */
  readonly allowUnknownFields: boolean;
  readonly query: string | undefined;
  readonly reveal: boolean;
  /** Does work that never waits, until a deadline; signals end the process meanwhile. */
  readonly endable: Host['endable'];
  readonly out: Output;
  /** Time at which it is shown, in milliseconds since the Unix epoch. */
  readonly nowMs: number;
  readonly style: Style;
  /** Names of the records of a kind by id; `undefined` where nobody can tell. */
  readonly namesOf?: (kind: ResourceName) => Promise<ReadonlyMap<string, string> | undefined>;
  /** Time zone of the account, whose clocks dates go by; `undefined` if it cannot be read. */
  readonly zoneOf?: () => Promise<string | undefined>;
  /** A line for people on stderr, beside the result. */
  say(said: Lines): void;
  /** Called with secrets before they are shown. */
  disclose(secrets: Iterable<string>): void;
  /** The same for what people should look at. */
  warn(said: Lines): void;
}

const resourceNamed = async (name: ResourceName) =>
  loadedResource(name) ?? (await import('../../contract/catalogue.ts')).resourceByName(name);

/** What masks the secrets in records of a resource before they are shown, or discloses them where asked for. */
export async function secretMask(
  name: ResourceName,
  { reveal, disclose }: Pick<View, 'reveal' | 'disclose'>,
): Promise<(value: Json) => Json> {
  const { schema } = await resourceNamed(name);
  const pass = (value: Json): Json => {
    if (!reveal) return redact(schema, value);
    const secrets = secretsIn(schema, value);
    if (secrets.length > 0) disclose(secrets);
    return value;
  };
  return (value) => (Array.isArray(value) ? value.map(pass) : pass(value));
}

/** The parts of a value that dotted paths name, in their places and in the order of the paths. */
export function selectFields(value: Json, fields: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((item: Json) => selectFields(item, fields));
  if (!isObject(value)) return value;
  return fields.reduce<JsonObject>((chosen, path) => {
    const found = valueAt(value, path);
    return found === undefined ? chosen : placed(chosen, path.split('.'), found);
  }, {});
}

/** A copy of `target` with `found` at the end of `keys`. Positions of an array become keys. */
function placed(target: JsonObject, [key = '', ...more]: readonly string[], found: Json): JsonObject {
  const inner = Object.hasOwn(target, key) ? target[key] : undefined;
  const value = more.length === 0 ? found : placed(isObject(inner) ? inner : {}, more, found);
  return { ...target, [key]: value };
}

/** The natural keys and columns by which a resource's records are shown. */
export interface Looks {
  readonly singular?: string;
  readonly naturalKeys: readonly string[];
  readonly columns: readonly Column[] | undefined;
  readonly schema?: SchemaNode;
}

/** Returns the contract's way of showing a resource; nothing is known of other values. */
export async function looksOf(resource: ResourceName | undefined): Promise<Looks> {
  if (resource === undefined) return { naturalKeys: [], columns: undefined };
  return resourceNamed(resource);
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
  const [{ nameInLine, plainText }, { naturalKeys }] = await Promise.all([
    import('./describe.ts'),
    looksOf(resource),
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
    const looks = await looksOf(resource);
    return renderRows(records, Array.isArray(value) ? looks.columns : undefined, view, looks);
  }
  const { describe, plainText, recordWithNames } = await import('./describe.ts');
  if (Array.isArray(value) || view.format === 'csv') {
    for (const item of records) await view.out.write(`${neutralise(plainText(item))}\n`);
    return;
  }
  const { schema: described = own } = await looksOf(resource);
  // Of a reply that is a record or a word, the record is described.
  const schema = described?.anyOf?.find(({ type }) => type === 'object') ?? described;
  if (!isObject(value) || schema === undefined) return view.out.write(await describe(value, view.style));
  const { isPem } = await import('../../base/shown-form.ts');
  const { properties = {} } = schema;
  const inLines = Object.keys(properties).filter(
    (key) => properties[key]?.['x-shown-as'] === 'lines' && isPem(value[key]),
  );
  const named = view.fields === undefined ? await recordWithNames(value, schema, view.namesOf) : value;
  return view.out.write(
    await describe(await shownIn(named, schema, view.zoneOf), view.style, new Set(inLines)),
  );
}

/** A record for people: its numbers in the forms in which they read them, its fields in the contract's order. */
async function shownIn(value: JsonObject, schema: SchemaNode, zoneOf: View['zoneOf']): Promise<Json> {
  const { shownNumber } = await import('../../base/shown-form.ts');
  const { mapValue } = await import('../../contract/map-value.ts');
  const isDated = Object.entries(schema.properties ?? {}).some(
    ([key, node]) => node['x-shown-as'] === 'date' && typeof value[key] === 'number',
  );
  const zone = isDated ? await zoneOf?.() : undefined;
  const shown = mapValue(schema, value, (node, here) => {
    const form = node['x-shown-as'];
    return form && typeof here === 'number' ? shownNumber(form, here, zone) : undefined;
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

/** A value as JSON for reading, safe to show at a terminal; lines after the first are moved in by `indent`. */
export function jsonBlock(value: Json, indent = ''): string {
  const text = neutraliseJson(JSON.stringify(value, null, 2));
  return indent === '' ? text : text.replaceAll('\n', `\n${indent}`);
}
