import { type JsonObject, valueAt } from '../base/json.ts';
import { oneLine, quoted } from '../base/wording.ts';
import type { Context } from '../command/context.ts';
import type { Resource } from '../contract/types.ts';

/** An id as people read it: the ends of a long one. */
export const shortId = (id: string): string =>
  /^[0-9a-f]{32}$/.test(id) ? `${id.slice(0, 4)}…${id.slice(-4)}` : id;

/** The name by which people know a record: its first natural key that is text, else its name or id. */
export function nameOf(resource: Resource, record: JsonObject): string | undefined {
  return [...resource.naturalKeys, 'name', 'id']
    .map((key) => valueAt(record, key))
    .find((value) => typeof value === 'string' && value !== '')
    ?.toString();
}

/** `user alice`, `callflow "Main line"`; `the metaflows` where an account has them once. */
export function labelOf(resource: Resource, record: JsonObject): string {
  if (resource.kind === 'singleton') return `the ${resource.name}`;
  const name = nameOf(resource, record);
  return name === undefined ? resource.singular : `${resource.singular} ${quoted(name)}`;
}

/** `user alice (Alice Archer)`: the label with what the second column of its table says. */
export function describe(resource: Resource, record: JsonObject): string {
  const texts = (resource.columns[1]?.paths ?? [])
    .flatMap((path) => valueAt(record, path) ?? [])
    .flatMap((value) =>
      typeof value === 'string' ? [value] : Array.isArray(value) ? [value.join(', ')] : [],
    )
    .filter((text) => text !== '' && text !== nameOf(resource, record));
  return texts.length === 0
    ? labelOf(resource, record)
    : `${labelOf(resource, record)} (${oneLine(texts.join(' '))})`;
}

/** The account acted on, as people know it. */
export async function accountName(context: Context): Promise<string> {
  const chosen = context.settings.account.value;
  if (chosen !== undefined) return quoted(shortId(chosen));
  const { profile } = await context.session();
  return quoted(profile.accountName ?? shortId(profile.accountId));
}

const words = new Map([
  ['api_key', 'API key'],
  ['token', 'token'],
  ['password', 'password'],
]);

/** Says where each secret lies, in words: `API key and token in ~/.config/telctl (0600)`. */
export function placesInWords(places: Readonly<Record<string, string>>): string {
  const byPlace = new Map<string, string[]>();
  for (const [secret, place] of Object.entries(places)) {
    byPlace.set(place, [...(byPlace.get(place) ?? []), words.get(secret) ?? secret]);
  }
  const parts = [...byPlace].map(([place, secrets]) => `${secrets.join(' and ')} in ${place}`);
  return parts.length === 0 ? 'none stored' : parts.join('; ');
}
