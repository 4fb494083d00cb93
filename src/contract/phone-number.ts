import { isObject, type Json, type JsonObject, joinPath, valueAt, withTextsAt } from '../base/json.ts';
import { countryOfNumber, diallingPlan, isInternational } from './dialling-plans.ts';
import { findReach } from './map-value.ts';
import { findChildNode, resolveReference, type Schema, type SchemaNode, stepKind } from './schema-node.ts';
import { routablePattern } from './structures.ts';

const routable = new RegExp(routablePattern);

/**
 * Punctuation in numbers, including no-break and narrow spaces, and typographic hyphens. Numbers that are copied from
 * address books are surrounded by invisible characters.
 */
const invisible = String.raw`\p{Cf}\uFE00-\uFE0F`;
const mark = String.raw`[\s()./\u2010-\u2015\u2212${invisible}-]`;
const marks = new RegExp(mark, 'gu');
const invisibles = new RegExp(`[${invisible}]`, 'gu');

/** Digits and punctuation, with an optional `+` at the start. */
const written = new RegExp(String.raw`^(?:${mark})*\+?(?:${mark}|\d)*\d(?:${mark}|\d)*$`, 'u');

/**
 * Removes punctuation: `+44 (0) 20 7946 0018` becomes `+442079460018`, without the zero that is only dialed within
 * the country. Other text stays unchanged.
 */
export const dialledDigits = (typed: string): string =>
  written.test(typed) ? typed.replace(/(?<=\+\s*\d[\d\s]*)\(0\)/, '').replaceAll(marks, '') : typed;

/**
 * Converts a number like services do. Ten digits, or eleven with a leading 1, that are North American (area codes
 * start with 2 to 9), and digits after 011 or 00, become E.164. All other text is unchanged, including numbers with
 * punctuation, which no call matches (Conventions, Phone numbers).
 */
export function toStoredNumber(sent: string): string {
  if (/^1?[2-9]\d{9}$/.test(sent)) return `+1${sent.slice(-10)}`;
  const [, abroad] = /^(?:011|00)([1-9]\d{6,})$/.exec(sent) ?? [];
  return abroad ? `+${abroad}` : sent;
}

/**
 * Removes punctuation and converts to E.164 if the country is known. `country` is the two-letter country of national
 * numbers, which are otherwise unchanged. Digits that start with a calling code get the missing `+`. Idempotent.
 */
export function normaliseTyped(typed: string, country?: string): string {
  const digits = dialledDigits(typed);
  if (!/^\d+$/.test(digits)) return digits;
  const plan = country === undefined ? undefined : diallingPlan(country);
  if (plan) {
    const { code, trunk, abroad } = plan;
    if (digits.startsWith(abroad) && digits.length >= abroad.length + 7)
      return `+${digits.slice(abroad.length)}`;
    const isDialledAtHome = trunk !== '' && digits.startsWith(trunk);
    const national = isDialledAtHome ? digits.slice(trunk.length) : digits;
    const least = Math.max(plan.least, isDialledAtHome ? 5 : 8);
    // North American area codes start with 2 to 9.
    const canBeNational = code === '1' ? /^[2-9]\d{9}$/.test(national) : national.length >= least;
    if (canBeNational && national.length <= plan.most) return `+${code}${national}`;
  }
  return /^[2-9]\d{10,14}$/.test(digits) && isInternational(digits) ? `+${digits}` : digits;
}

export const dependsOnCountry = (typed: string): boolean =>
  /^(?:0\d{5,14}|\d{8,15})$/.test(dialledDigits(typed));

export const isUnreadNational = (typed: string, country?: string): boolean =>
  dependsOnCountry(typed) && !toStoredNumber(normaliseTyped(typed, country)).startsWith('+');

/**
 * Returns why a number in E.164 cannot exist, as the end of a sentence. Earlier versions of telctl read national
 * numbers as North American (`+10491570006`), and kept the zero that is only dialed within the country
 * (`+4402079460018`).
 */
export function explainMisread(e164: string): string | undefined {
  if (/^\+1[01]\d{9}$/.test(e164))
    return 'is not a number: North American area codes start with 2 to 9. A national number was read as one. Write it with its own calling code';
  const country = /^\+\d{7,}$/.test(e164) ? countryOfNumber(e164) : undefined;
  const plan = country === undefined ? undefined : diallingPlan(country);
  if (plan?.trunk !== '0' || !e164.startsWith(`+${plan.code}0`)) return undefined;
  return `is not a number: 0 is dialed at home only. Write +${plan.code}${e164.slice(plan.code.length + 2)}`;
}

/** Returns a sentence without a period that also says what to do. */
export const explainUnread = (text: string, country: string | undefined): string =>
  country === undefined
    ? `${JSON.stringify(text)} is kept as typed, since the country of the account is unknown. Name it with --country CC, or write the number with + and its calling code`
    : `${JSON.stringify(text)} is kept as typed, since it is not a number of ${country}. Write it with + and its calling code, or name its country with --country CC`;

/**
 * Returns the two-letter country of the account's external caller id, because services do not store the country of an
 * account (Resources and their fields, Account).
 */
export function countryOfAccount(account: Json | undefined): string | undefined {
  for (const kind of ['external', 'emergency']) {
    const shown = valueAt(account, `caller_id.${kind}.number`);
    const number = typeof shown === 'string' ? toStoredNumber(dialledDigits(shown)) : '';
    const country = number.startsWith('+') ? countryOfNumber(number) : undefined;
    if (country !== undefined) return country;
  }
  return undefined;
}

/**
 * Returns the end of "cannot be dialed: ", or `undefined` if the text can be dialed. Names that telephones send
 * instead of numbers, feature codes and `no_match` can be dialed.
 */
export function explainUndialled(typed: string): string | undefined {
  const text = typed.replaceAll(invisibles, '');
  if (/^\s*[+-]?\d+(?:[.,]\d+)?e[+-]?\d+\s*$/i.test(text))
    return 'a spreadsheet wrote it in scientific notation, and its last digits are lost';
  if (/^\s*['=]/.test(text)) return 'it starts as a formula of a spreadsheet';
  if (/\d/.test(text) && /["<>`´\u2018-\u201F«»‹›]/.test(text)) return 'it has quotation marks or a name';
  if (/^\s*(?:tel|sips?):/i.test(text)) return 'it is an address. Write the number only';
  if (/^\s*_[\dXZN.!-]+$/i.test(text))
    return 'it is a dial pattern of Asterisk. Write an expression in "patterns"';
  if (/[\uFF0B\uFF10-\uFF19\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]/.test(text))
    return 'it has digits other than 0 to 9';
  if (/\S/.test(text) && /^[+\s().-]*$/.test(text)) return 'it has no digits';
  const isOfDigits = /^\s*[+(]?\s*\d/.test(text);
  if (isOfDigits && /[^\d\s+*#()./\u2010-\u2015\u2212-]/.test(text))
    return 'it has letters or other characters';
  return isOfDigits && /.\+/.test(text.trim()) ? 'a + is possible only at the start' : undefined;
}

/** Some services store digits as a number: `0300` becomes `300`. Other text is unchanged. */
export const trimLeadingZeros = (text: string): string =>
  /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text;

/** Converts a hardware address like services do: `00:04:F2:AB:7E:FD` becomes `0004f2ab7efd`. */
export const hexDigits = (text: string): string => text.toLowerCase().replaceAll(/[^\da-f]/g, '') || text;

/** Returns the number that calls match: E.164, or an extension without punctuation. */
export const normalisedNumber = (typed: string): string => toStoredNumber(dialledDigits(typed));

/** Returns true for a public number, and false for an extension (Conventions, Phone numbers). */
export const isRoutable = (typed: string): boolean => routable.test(dialledDigits(typed));

/** The field contains texts, lists of texts, or keys of a map. */
const isDialled = (node: SchemaNode | undefined): boolean => node?.['x-dialled'] === true;

export const holdsNumbers = (schema: Schema, field: string): boolean =>
  isDialled(resolveReference(schema, schema).properties?.[field]);

function matchingAlternative(node: SchemaNode, value: Json): SchemaNode {
  const type = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : typeof value;
  return node.anyOf?.find((each) => each.type === type) ?? node;
}

const canHoldNumbers = (node: SchemaNode): boolean =>
  node['x-dialled'] !== undefined || stepKind(node) !== undefined;

/** `keys` lead to a number in a value, or to the key of a map. */
interface FoundNumber {
  readonly keys: readonly string[];
  readonly text: string;
  readonly kind: true | 'extension';
}

function addNumbers(
  found: FoundNumber[],
  schema: Schema,
  node: SchemaNode,
  value: Json,
  keys: readonly string[] = [],
): void {
  const here = matchingAlternative(resolveReference(schema, node), value);
  const kind = here['x-dialled'] || undefined;
  if (typeof value === 'string' && kind) found.push({ keys, text: value, kind });
  if (typeof value !== 'object' || value === null) return;
  const { here: isConcerned, fields, others } = findReach(schema, canHoldNumbers, here);
  const isOpen = isConcerned || others;
  const isStep = stepKind(here) !== undefined;
  for (const [key, inner] of Object.entries<Json | undefined>(value)) {
    if (inner === undefined || !(isOpen || fields.includes(key))) continue;
    const at = [...keys, key];
    if (kind && Array.isArray(value) && typeof inner === 'string')
      found.push({ keys: at, text: inner, kind });
    else addNumbers(found, schema, findChildNode(schema, here, key) ?? {}, inner, at);
    if (kind && isObject(value) && typeof inner !== 'string') found.push({ keys: at, text: key, kind });
    if (isStep && key === 'data') addStepNumbers(found, inner, at);
  }
}

/** These fields of step data contain phone numbers. */
const stepNumbers = new Set(['to_did', 'caller_id_number', 'caller_id.number', 'caller_id.external.number']);

function addStepNumbers(
  found: FoundNumber[],
  data: Json,
  keys: readonly string[],
  field: readonly string[] = [],
): void {
  const path = field.join('.');
  if (typeof data === 'string' && data !== '' && stepNumbers.has(path))
    found.push({ keys, text: data, kind: true });
  if (!isObject(data) || !['', 'caller_id', 'caller_id.external'].includes(path)) return;
  for (const [key, inner] of Object.entries(data))
    if (inner !== undefined) addStepNumbers(found, inner, [...keys, key], [...field, key]);
}

const knownNumbers = new WeakMap<JsonObject, readonly [Schema, readonly FoundNumber[]]>();

/** Cached, because manifests request the numbers several times. */
function findNumbers(schema: Schema, data: JsonObject): readonly FoundNumber[] {
  const [of, known] = knownNumbers.get(data) ?? [];
  if (of === schema && known) return known;
  const found: FoundNumber[] = [];
  addNumbers(found, schema, schema, data);
  knownNumbers.set(data, [schema, found]);
  return found;
}

/** Converts numbers to the form that telctl sends. Services do not convert them, and no call matches punctuation. */
export function withDialledNumbers(schema: Schema, data: JsonObject, country?: string): JsonObject {
  const meant = findNumbers(schema, data).flatMap(({ keys, text, kind }) => {
    const number = kind === true ? normaliseTyped(text, country) : text;
    return number === text ? [] : [[keys.join('\0'), number] as const];
  });
  return meant.length === 0 ? data : withTextsAt(data, new Map(meant));
}

export const numberTexts = (
  schema: Schema,
  data: JsonObject,
): readonly { readonly path: string; readonly text: string }[] =>
  findNumbers(schema, data).flatMap(({ keys, text, kind }) =>
    kind === true ? [{ path: joinPath(keys), text }] : [],
  );

/** Returns the numbers whose meaning depends on a country. */
export const numbersOfCountry = (schema: Schema, data: JsonObject): ReturnType<typeof numberTexts> =>
  numberTexts(schema, data).filter(({ text }) => dependsOnCountry(text));

export interface NumberProblem {
  readonly path: string;
  readonly message: string;
}

export const undialledNumbers = (schema: Schema, data: JsonObject): readonly NumberProblem[] =>
  findNumbers(schema, data).flatMap(({ keys, text, kind }) => {
    const why =
      explainUndialled(text) ?? (kind === 'extension' && /\d\s+\d/.test(text) ? 'it has blanks' : undefined);
    const message = `${JSON.stringify(text)} cannot be dialed: ${why}`;
    return why === undefined ? [] : [{ path: joinPath(keys), message }];
  });
