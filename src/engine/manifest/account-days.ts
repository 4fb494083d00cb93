import { isObject, type Json, type JsonObject, splitPath, textOf } from '../../base/json.ts';
import { parseShownNumber, type ShownForm } from '../../base/shown-form.ts';
import { isTimeZone } from '../../base/zoned-time.ts';
import type { DesiredAccount } from './desired.ts';

/** A date without a time in a manifest. The number that is sent depends on the time zone of the account. */
export interface DesiredDay {
  /** Dotted path of its field. */
  readonly path: string;
  /** `2026-12-24` */
  readonly text: string;
  readonly form: ShownForm;
}

/** Returns the time zone that a manifest gives an account; `undefined` if it names no known one. */
export function zoneOfManifest({ objects }: Pick<DesiredAccount, 'objects'>): string | undefined {
  const settings = objects.find(({ kind }) => kind === 'account_settings');
  const zone = textOf(settings?.fields.timezone);
  return zone !== undefined && isTimeZone(zone) ? zone : undefined;
}

/** Tells whether a manifest holds dates whose numbers depend on the time zone of the account. */
export const hasDays = ({ objects }: Pick<DesiredAccount, 'objects'>): boolean =>
  objects.some(({ days = [] }) => days.length > 0);

/** Returns an account with its dates as numbers by the clocks of a zone; unchanged without a zone. */
export function withDaysIn(account: DesiredAccount, zone: string | undefined): DesiredAccount {
  if (zone === undefined || !hasDays(account)) return account;
  const objects = account.objects.map((object) => {
    const { days = [] } = object;
    const fields = days.reduce((record: JsonObject, { path, text, form }) => {
      const value = parseShownNumber(form, text, zone);
      return value === undefined ? record : asObject(withValue(record, splitPath(path), value), record);
    }, object.fields);
    return days.length === 0 ? object : { ...object, fields };
  });
  return { ...account, objects };
}

const asObject = (value: Json, otherwise: JsonObject): JsonObject => (isObject(value) ? value : otherwise);

/** Returns a value with another one at a place that exists. */
function withValue(value: Json, [key, ...rest]: readonly string[], next: Json): Json {
  if (key === undefined) return next;
  if (Array.isArray(value))
    return value.map((item: Json, index) => (String(index) === key ? withValue(item, rest, next) : item));
  if (!isObject(value)) return value;
  return { ...value, [key]: withValue(value[key] ?? null, rest, next) };
}
