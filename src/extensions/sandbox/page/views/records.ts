import { allTexts, isObject, type Json, type JsonObject, valueAt } from '../../../../base/json.ts';
import { formatShownNumber } from '../../../../base/shown-form.ts';
import { humanize, shortId } from '../../../../base/wording.ts';
import { resources } from '../../../../contract/catalogue.ts';
import { findChildNode, resolveReference, type SchemaNode } from '../../../../contract/schema-node.ts';
import { masked, redact } from '../../../../contract/secrets.ts';
import type { Resource, ResourceName } from '../../../../contract/types.ts';
import {
  type Content,
  clipText,
  formatGregorianMoment,
  html,
  isolateText,
  linkTo,
  type Markup,
  yesOrNo,
} from '../../../../engine/html/markup.ts';
import type { ReadAccount, Reader, ReadRecord } from '../../reader.ts';

export const kindsOfAccounts: readonly Resource[] = resources.filter(
  ({ absent }) => absent?.page === undefined,
);

export const kindNamed = (name: string | undefined): Resource | undefined =>
  kindsOfAccounts.find((resource) => resource.name === name);

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

export function pageName({ id, body }: Pick<ReadRecord, 'id' | 'body'>, resource?: Resource): string {
  const paths = [...(resource?.naturalKeys ?? []), 'name', 'numbers.0'];
  return paths.map((path) => firstValue(body, path)).find(isText) ?? shortId(id);
}

function firstValue(body: JsonObject, path: string): Json | undefined {
  const value = valueAt(body, path);
  return Array.isArray(value) ? value[0] : value;
}

export interface LinkedName {
  readonly name: string;
  /** Missing if no page shows the record. */
  readonly link?: string | undefined;
}

export type NamedIds = ReadonlyMap<string, LinkedName>;

const idsAtMost = 60;
export const isRecordId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

const kinds = kindsOfAccounts.filter(({ kind, keptIn }) => kind === 'collection' && keptIn === undefined);

/** Reads the fields of a record that its name consists of. */
export const readBrief = (reader: Reader, accountId: string, kind: ResourceName, id: string) =>
  reader.brief ? reader.brief(accountId, kind, id) : reader.record(accountId, kind, id);

async function readNamed(
  reader: Reader,
  id: string,
  accountId: string,
  accounts: readonly ReadAccount[],
): Promise<LinkedName | undefined> {
  const account = accounts.find((each) => each.id === id);
  if (account) return { name: pageName(account), link: linkTo({ accountId: id }) };
  for (const kind of kinds) {
    const record = await readBrief(reader, accountId, kind.name, id);
    if (record) return { name: pageName(record, kind), link: linkTo({ accountId, kind: kind.name, id }) };
  }
  return undefined;
}

/**
 * Reads the names of ids in a record. All values and keys are tried, because the contract does not describe every
 * field with ids, and maps like `directories` have ids as keys.
 */
export async function readNamedIds(
  reader: Reader,
  { id: own, body }: ReadRecord,
  accountId: string,
  accounts: readonly ReadAccount[],
): Promise<NamedIds> {
  const ids = [...new Set(allTexts(body))].filter((id) => isRecordId(id) && id !== own).slice(0, idsAtMost);
  const found = await Promise.all(
    ids.map(async (id) => [id, await readNamed(reader, id, accountId, accounts)] as const),
  );
  return new Map(found.flatMap(([id, what]) => (what ? [[id, what] as const] : [])));
}

/** Maximum depth that is shown. Deeper values are only counted. */
const deepest = 12;
const itemsAtMost = 100;
/** Maximum number of values of an object that is shown unfolded. */
const openAtMost = 12;
/** Maximum length of a field that is shown unfolded. */
const longText = 600;
/** Keys that look like secrets. Used for fields that the contract does not describe. */
const secretKey =
  /(?:^|_)(?:pass|passwd|password|secret|secrets|token|tokens|pin|pins|pincode|credential|credentials|signature|authorization)$|api_?key|private_?key/i;

function maskKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => maskKeys(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      secretKey.test(key) && canHoldSecret(inner) ? masked : inner === undefined ? inner : maskKeys(inner),
    ]),
  );
}

const canHoldSecret = (value: Json | undefined): boolean =>
  value !== undefined && value !== null && value !== '' && typeof value !== 'boolean';

export function shownBody({ schema }: Resource, { body }: Pick<ReadRecord, 'body'>): JsonObject {
  const shown = maskKeys(redact(schema, body));
  return isObject(shown) ? shown : {};
}

/**
 * Returns only the fields at dotted paths, masked like `shownBody`. Faster than `shownBody`, because lists show few
 * fields of many records.
 */
export function pickTopFields(
  resource: Resource,
  { body }: Pick<ReadRecord, 'body'>,
  paths: readonly string[],
): JsonObject {
  const keys = new Set(paths.map((path) => path.split('.', 1)[0] ?? path));
  const part = Object.fromEntries(
    [...keys].flatMap((key) => (Object.hasOwn(body, key) ? [[key, body[key]]] : [])),
  );
  return shownBody(resource, { body: part });
}

/** Shows the name of a field. It can wrap after each underscore. */
const breakableName = (key: string): Markup =>
  html`<bdi>${key.split('_').map((part, index) => (index === 0 ? part : html`_<wbr>${part}`))}</bdi>`;

/** Returns true for the years 1990 to 2100 in Gregorian seconds. Other numbers in records are smaller. */
const isMoment = (value: number): boolean => value > 62_798_371_200 && value < 66_270_009_600;

/** Shows a readable form of a number, to follow the number. */
function readableForm({ 'x-shown-as': form }: SchemaNode, value: number): Content {
  if (isMoment(value)) return html` <span class="dim">${formatGregorianMoment(value)}</span>`;
  return form && html` <span class="dim">${formatShownNumber(form, value)}</span>`;
}

/** Counts nested values, and stops after `most`. */
function countValues(value: Json, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let size = 0;
  for (const inner of Object.values(value)) {
    if (size > most) break;
    if (inner !== undefined) size += countValues(inner, most - size);
  }
  return size;
}

/** Shows the fields of a record, with links for known ids. */
export function fieldsOf(
  resource: Resource,
  record: Pick<ReadRecord, 'body'>,
  known: NamedIds,
  accountId: string,
): Markup {
  const { schema } = resource;
  const showValue = (reference: SchemaNode, value: Json, depth: number): Content => {
    const node = resolveReference(schema, reference);
    if (value === null) return html`<span class="dim">null</span>`;
    if (typeof value === 'boolean') return yesOrNo(value);
    if (typeof value === 'number')
      return html`<span class="number">${value}</span>${readableForm(node, value)}`;
    if (typeof value === 'string') return fieldContent(node, value, known, accountId);
    if (depth > deepest) return html`<span class="dim">…</span>`;
    if (Array.isArray(value)) return showItems(node, value, depth);
    if (!isObject(value)) return undefined;
    if (depth === 1 && countValues(value, openAtMost) > openAtMost)
      return html`<details><summary>Show</summary>${showObject(node, value, depth)}</details>`;
    return showObject(node, value, depth);
  };
  const child = (node: SchemaNode, key: string): SchemaNode => findChildNode(schema, node, key) ?? {};
  const showItems = (node: SchemaNode, items: readonly Json[], depth: number): Content => {
    if (items.length === 0) return html`<span class="dim">none</span>`;
    const more = items.length - itemsAtMost;
    return html`<ul class="items">${items
      .slice(0, itemsAtMost)
      .map((item, index) => html`<li>${showValue(child(node, String(index)), item, depth + 1)}</li>`)}${
      more > 0 && html`<li class="dim">and ${more} more</li>`
    }</ul>`;
  };
  const showObject = (node: SchemaNode, object: JsonObject, depth: number): Content => {
    const entries = Object.entries(object).flatMap(([key, value]) =>
      value === undefined ? [] : [{ key, value }],
    );
    if (entries.length === 0) return html`<span class="dim">empty</span>`;
    return html`<dl>${entries.map(
      ({ key, value }) =>
        html`<div><dt>${linkOf(known, key) ?? breakableName(key)}</dt><dd>${showValue(child(node, key), value, depth + 1)}</dd></div>`,
    )}</dl>`;
  };
  return html`${showObject(schema, shownBody(resource, record), 0)}`;
}

function linkOf(known: NamedIds, id: string): Markup | undefined {
  const what = known.get(id);
  return what?.link === undefined
    ? undefined
    : html`<a href="${what.link}" title="${id}">${clipText(what.name)}</a>`;
}

function fieldContent(node: SchemaNode, value: string, known: NamedIds, accountId: string): Content {
  if (value === '') return html`<span class="dim">empty</span>`;
  const link = linkOf(known, value);
  if (link) return link;
  const target = kindNamed(node['x-ref']);
  if (!target)
    return value.length > longText
      ? html`<details><summary>${clipText(value)} <span class="dim">${value.length} characters</span></summary>${isolateText(value)}</details>`
      : isolateText(value);
  return html`<a href="${linkTo({ accountId, kind: target.name, id: value })}" title="${value}">${shortId(value)}</a>`;
}

export const breadcrumbs = (account: ReadAccount, resource?: Resource): Markup =>
  html`<nav class="crumbs" aria-label="Where this is"><a href="${linkTo({ accountId: account.id })}">${clipText(pageName(account))}</a>${
    resource &&
    html` <span aria-hidden="true">/</span> <a href="${linkTo({ accountId: account.id, kind: resource.name })}">${humanize(resource.name)}</a>`
  }</nav>`;
