import { type JsonObject, valueAt } from '../../base/json.ts';
import { humanize, quoteName, shortId, toOneLine } from '../../base/wording.ts';
import type { Resource } from '../../contract/types.ts';
import type { NamingContext } from '../command/context.ts';

/** Returns the display name of a record: its first natural key with a text, or else its name or id. */
export function nameOf(resource: Resource, record: JsonObject): string | undefined {
  return [...resource.naturalKeys, 'name', 'id']
    .map((key) => valueAt(record, key))
    .find((value) => typeof value === 'string' && value !== '')
    ?.toString();
}

/** `user alice`, `callflow "Main line"`, or `the metaflows` for a singleton. */
export function labelOf(resource: Resource, record: JsonObject): string {
  if (resource.kind === 'singleton') return `the ${humanize(resource.name)}`;
  const name = nameOf(resource, record);
  return name === undefined ? resource.singular : `${resource.singular} ${quoteName(name)}`;
}

/** Adds the second column of its table to the label: `user alice (Alice Archer)`. */
export function describeRecord(resource: Resource, record: JsonObject): string {
  const texts = (resource.columns[1]?.paths ?? [])
    .flatMap((path) => valueAt(record, path) ?? [])
    .flatMap((value) =>
      typeof value === 'string' ? [value] : Array.isArray(value) ? [value.join(', ')] : [],
    )
    .filter((text) => text !== '' && text !== nameOf(resource, record));
  return texts.length === 0
    ? labelOf(resource, record)
    : `${labelOf(resource, record)} (${toOneLine(texts.join(' '))})`;
}

/** Returns the display name of the current account. */
export async function accountLabel(context: Pick<NamingContext, 'settings' | 'session'>): Promise<string> {
  const chosen = context.settings.account.value;
  if (chosen !== undefined) return shortId(chosen);
  const { profile } = await context.session();
  return profile.accountName ?? shortId(profile.accountId);
}

/** Returns the display name of the current account for use in a sentence. */
export const quotedAccount = async (context: Pick<NamingContext, 'settings' | 'session'>): Promise<string> =>
  quoteName(await accountLabel(context));

const secretNames = new Map([
  ['api_key', 'API key'],
  ['token', 'token'],
  ['password', 'password'],
]);

/** Describes where secrets are stored: `API key and token in ~/.config/telctl (0600)`. */
export function describeSecretPlaces(places: Readonly<Record<string, string>>): string {
  const byPlace = Map.groupBy(Object.entries(places), ([, place]) => place);
  const parts = [...byPlace].map(
    ([place, those]) =>
      `${those.map(([secret]) => secretNames.get(secret) ?? secret).join(' and ')} in ${place}`,
  );
  return parts.length === 0 ? 'none stored' : parts.join('; ');
}

/** Formats the labels that selected accounts of a list: ` with region=eu`. */
export const whereText = (where: readonly string[] = []): string =>
  where.length === 0 ? '' : ` with ${where.join(' and ')}`;
