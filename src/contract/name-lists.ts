import { findNearest } from '../base/nearest.ts';

/** Lists of the runtime: IANA time zones, and languages with their countries (BCP 47). */
export type NameList = 'time-zone' | 'language';

export const isNameList = (list: unknown): list is NameList => list === 'time-zone' || list === 'language';

/** For messages: `must be …`. */
export const nameWords: Readonly<Record<NameList, string>> = {
  'time-zone': 'a time zone',
  language: 'a language',
};

/** Cached, because a file with many users contains few distinct names. */
const looked = new Map<string, boolean>();

/** Returns true if the runtime has the name. An unknown name can still exist, because the service may be newer. */
export function isKnownName(list: NameList, name: string): boolean {
  const key = `${list} ${name}`;
  const known = looked.get(key) ?? (list === 'time-zone' ? isTimeZone(name) : isLanguage(name));
  looked.set(key, known);
  return known;
}

export function nearestName(list: NameList, name: string): string | undefined {
  if (list === 'time-zone') return findNearest(name, timeZones());
  const [language = '', ...others] = name.split(/[-_]/);
  const [region] = others;
  const tag = [language.toLowerCase(), ...(region === undefined ? [] : [region.toUpperCase()])].join('-');
  return tag !== name && isLanguage(tag) ? tag : undefined;
}

const timeZones = (): readonly string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** The runtime accepts aliases such as US/Eastern. Offsets are not names. */
function isTimeZone(name: string): boolean {
  const zones = timeZones();
  if (zones.includes(name)) return true;
  if (!/^[A-Z]/.test(name) || zones.some((zone) => zone.toLowerCase() === name.toLowerCase())) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Users expect daylight saving time in these zones, which have standard time all year. */
const standardTimes: ReadonlyMap<string, readonly [ahead: number, zone: string]> = new Map([
  ['EST', [-5, 'America/New_York']],
  ['MST', [-7, 'America/Denver']],
]);

/**
 * Describes a zone that differs from its name, such as `Etc/GMT+5`, which is behind UTC. Returns `undefined` for
 * other zones.
 */
export function zoneCaveat(name: string): string | undefined {
  const [, sign = '', hours = ''] = /^Etc\/GMT([+-])([1-9]\d?)$/.exec(name) ?? [];
  if (hours !== '')
    return `is UTC${sign === '+' ? '-' : '+'}${hours} all year, because the sign is reversed in such names. Write a zone such as America/New_York`;
  const [ahead, zone] = standardTimes.get(name) ?? [];
  return zone && `is UTC${ahead} all year. Write ${zone} to follow daylight saving time`;
}

/** Accepts a language (`de`), optionally with script and country, in any case. */
function isLanguage(name: string): boolean {
  try {
    const { language, region } = new Intl.Locale(name);
    const hasDisplayName = (type: 'language' | 'region', code: string): boolean =>
      new Intl.DisplayNames(['en'], { type, fallback: 'none' }).of(code) !== undefined;
    return hasDisplayName('language', language) && (region === undefined || hasDisplayName('region', region));
  } catch {
    return false;
  }
}

/** Returns true for a field that is internal to the service and never returned. `_read_only` is not. */
export const isPrivateKey = (key: string): boolean => key.startsWith('_') || key.startsWith('pvt_');
