import { isObject, type Json, type JsonObject, splitPath, textOrUndefined } from '../../base/json.ts';
import { parseShownNumber, type ShownForm } from '../../base/shown-form.ts';
import { isTimeZone } from '../../base/zoned-time.ts';
import type { DesiredAccount } from './desired.ts';

/** The sent number depends on the time zone of the account. */
export interface DesiredDay {
  readonly path: string;
  readonly text: string;
  readonly form: ShownForm;
}

/** Returns the time zone that a manifest sets, or `undefined` if it sets no known one. */
export function zoneOfManifest({ objects }: Pick<DesiredAccount, 'objects'>): string | undefined {
  const settings = objects.find(({ kind }) => kind === 'account_settings');
  const zone = textOrUndefined(settings?.fields.timezone);
  return zone !== undefined && isTimeZone(zone) ? zone : undefined;
}

/** Returns true if a number depends on the time zone of the account. */
export const hasDays = ({ objects }: Pick<DesiredAccount, 'objects'>): boolean =>
  objects.some(({ days = [] }) => days.length > 0);

export function convertDays(account: DesiredAccount, zone: string | undefined): DesiredAccount {
  if (zone === undefined || !hasDays(account)) return account;
  const objects = account.objects.map((object) => {
    const { days = [] } = object;
    const fields = days.reduce((record: JsonObject, { path, text, form }) => {
      const value = parseShownNumber(form, text, zone);
      return value === undefined ? record : objectOr(withValue(record, splitPath(path), value), record);
    }, object.fields);
    return days.length === 0 ? object : { ...object, fields };
  });
  return { ...account, objects };
}

const objectOr = (value: Json, otherwise: JsonObject): JsonObject => (isObject(value) ? value : otherwise);

function withValue(value: Json, [key, ...rest]: readonly string[], next: Json): Json {
  if (key === undefined) return next;
  if (Array.isArray(value))
    return value.map((item: Json, index) => (String(index) === key ? withValue(item, rest, next) : item));
  if (!isObject(value)) return value;
  return { ...value, [key]: withValue(value[key] ?? null, rest, next) };
}
