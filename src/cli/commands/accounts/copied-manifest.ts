import { isObject, type Json, type JsonObject, ownValue } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { kindOfSection } from '../../../engine/manifest/kinds.ts';

/** Rules for the copy of an account. */
export interface CopyRules {
  /** The replacement of each number, in E.164. */
  readonly numbers: ReadonlyMap<string, string>;
  /** Whether administrators keep their rights. */
  readonly administrators: boolean;
}

const isOutside = (text: string): boolean => /^\+\d{7,15}$/.test(normalisedNumber(text));

/** Returns the external numbers of the callflows of a manifest, which belong to only one account. */
function numbersIn({ callflows }: JsonObject): ReadonlySet<string> {
  const flows = isObject(callflows) ? Object.values(callflows).filter(isObject) : [];
  return new Set(
    flows
      .flatMap(({ numbers }): readonly Json[] => (Array.isArray(numbers) ? numbers : []))
      .map(String)
      .filter(isOutside)
      .map(normalisedNumber),
  );
}

/** Returns true for a callflow without numbers and patterns, which services refuse. */
const isUnreached = ({ numbers, patterns }: JsonObject, mapped: CopyRules['numbers']): boolean =>
  Array.isArray(numbers) &&
  numbers.every((each) => isOutside(String(each)) && !mapped.has(normalisedNumber(String(each)))) &&
  !(Array.isArray(patterns) && patterns.length > 0);

/**
 * Adapts the manifest of an account for another account: removes names that are unique to an account, secrets, ids of
 * records that are not copied, and numbers without a replacement. Also returns a description of each omission.
 */
export function copiedManifest(value: JsonObject, { numbers, administrators }: CopyRules) {
  const owned = new Set([...numbersIn(value), ...numbers.keys()]);
  const [unmapped, made] = [new Set<string>(), { secrets: 0, ids: 0, administrators: 0 }];
  const unreached = new Set(
    Object.entries(isObject(value.callflows) ? value.callflows : {}).flatMap(([name, flow]) =>
      isObject(flow) && isUnreached(flow, numbers) ? [name] : [],
    ),
  );
  const copiedText = (text: string): string | undefined => {
    if (/^\$\{env\.\w+\?\}$/.test(text)) {
      made.secrets += 1;
      return undefined;
    }
    const named = /^\$\{callflows\.(.+)\}$/.exec(text)?.[1];
    if (/^[0-9a-f]{32}$/.test(text) || (named !== undefined && unreached.has(named))) {
      made.ids += 1;
      return undefined;
    }
    const number = isOutside(text) ? normalisedNumber(text) : text;
    if (!owned.has(number)) return text;
    const other = numbers.get(number);
    if (other === undefined) unmapped.add(number);
    return other;
  };
  const copied = (part: Json | undefined): Json | undefined => {
    if (typeof part === 'string') return copiedText(part);
    if (Array.isArray(part)) return part.flatMap((each: Json) => copied(each) ?? []);
    return isObject(part) ? copiedFields(part) : part;
  };
  const copiedFields = (fields: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([key, part]) => {
        const fitting = copiedText(key);
        const inner = copied(part);
        return fitting === undefined || inner === undefined ? [] : [[fitting, inner] as const];
      }),
    );
  const sections = Object.entries(value).flatMap(([section, held]) => {
    const kind = kindOfSection(section);
    if (!kind || !isObject(held)) return [];
    const once = kind.resource.unique.filter(({ within }) => within === 'service').map(({ field }) => field);
    const fitting = (fields: JsonObject): JsonObject => {
      const rest = copiedFields(without(fields, once));
      if (section !== 'users' || administrators || ownValue(rest, 'priv_level') !== 'admin') return rest;
      made.administrators += 1;
      return { ...rest, priv_level: 'user' };
    };
    if (kind.shape === 'one') return [[section, fitting(held)] as const];
    const objects = Object.entries(held)
      .filter(([name]) => section !== 'callflows' || !unreached.has(name))
      .map(([name, fields]) => [name, isObject(fields) ? fitting(fields) : fields]);
    return [[section, Object.fromEntries(objects)] as const];
  });
  return {
    document: Object.fromEntries(sections),
    left: [
      ...(unmapped.size > 0 ? [`${formatCount(unmapped.size, 'number')} without a row in --numbers`] : []),
      ...[...unreached].map((name) => `callflow ${name}, which would have no number`),
      ...(made.secrets > 0 ? [formatCount(made.secrets, 'secret')] : []),
      ...(made.ids > 0 ? [`${formatCount(made.ids, 'reference')} to records that are not copied`] : []),
      ...(made.administrators > 0
        ? [
            `the rights of ${formatCount(made.administrators, 'administrator')}, who ${made.administrators === 1 ? 'becomes a plain user' : 'become plain users'}`,
          ]
        : []),
    ],
  };
}

function without(fields: JsonObject, paths: readonly string[]): JsonObject {
  return paths.reduce((rest: JsonObject, path): JsonObject => {
    const [first = '', ...inner] = path.split('.');
    const { [first]: part, ...others } = rest;
    if (inner.length === 0 || !isObject(part)) return others;
    return { ...others, [first]: without(part, [inner.join('.')]) };
  }, fields);
}
