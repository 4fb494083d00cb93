import { isObject, type Json, type JsonObject, ownValue } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { type Kind, kindOfSection } from '../../../engine/manifest/kinds.ts';

export interface CopyRules {
  /** Replacements in E.164, by number. */
  readonly numbers: ReadonlyMap<string, string>;
  readonly administrators: boolean;
}

const isExternal = (text: string): boolean => /^\+\d{7,15}$/.test(normalisedNumber(text));

/** Returns the external numbers of callflows. A number can belong to only one account. */
function numbersIn({ callflows }: JsonObject): ReadonlySet<string> {
  const flows = isObject(callflows) ? Object.values(callflows).filter(isObject) : [];
  return new Set(
    flows
      .flatMap(({ numbers }): readonly Json[] => (Array.isArray(numbers) ? numbers : []))
      .map(String)
      .filter(isExternal)
      .map(normalisedNumber),
  );
}

/** Services refuse callflows without numbers and patterns. */
const isUnreached = ({ numbers, patterns }: JsonObject, mapped: CopyRules['numbers']): boolean =>
  Array.isArray(numbers) &&
  numbers.every((each) => isExternal(String(each)) && !mapped.has(normalisedNumber(String(each)))) &&
  !(Array.isArray(patterns) && patterns.length > 0);

/**
 * Adapts the manifest of an account for another account. Removes names that are unique to an account, secrets, ids of
 * records that are not copied, and numbers without a replacement. Also returns a description of each omission.
 */
export function adaptManifest(value: JsonObject, rules: CopyRules) {
  const adapter = new ManifestAdapter(value, rules);
  return { document: adapter.document(), omitted: adapter.omitted() };
}

class ManifestAdapter {
  readonly #value: JsonObject;
  readonly #rules: CopyRules;
  readonly #owned: ReadonlySet<string>;
  readonly #unreached: ReadonlySet<string>;
  readonly #unmapped = new Set<string>();
  #secrets = 0;
  #ids = 0;
  #administrators = 0;

  constructor(value: JsonObject, rules: CopyRules) {
    this.#value = value;
    this.#rules = rules;
    this.#owned = new Set([...numbersIn(value), ...rules.numbers.keys()]);
    const flows = Object.entries(isObject(value.callflows) ? value.callflows : {});
    this.#unreached = new Set(
      flows.flatMap(([name, flow]) => (isObject(flow) && isUnreached(flow, rules.numbers) ? [name] : [])),
    );
  }

  document(): JsonObject {
    const sections = Object.entries(this.#value).flatMap(([section, held]) => {
      const kind = kindOfSection(section);
      if (!kind || !isObject(held)) return [];
      if (kind.shape === 'one') return [[section, this.#record(kind, held)] as const];
      const objects = Object.entries(held)
        .filter(([name]) => section !== 'callflows' || !this.#unreached.has(name))
        .map(([name, fields]) => [name, isObject(fields) ? this.#record(kind, fields) : fields]);
      return [[section, Object.fromEntries(objects)] as const];
    });
    return Object.fromEntries(sections);
  }

  omitted(): readonly string[] {
    const [numbers, administrators] = [this.#unmapped.size, this.#administrators];
    return [
      ...(numbers > 0 ? [`${formatCount(numbers, 'number')} without a row in --numbers`] : []),
      ...[...this.#unreached].map((name) => `callflow ${name}, which would have no number`),
      ...(this.#secrets > 0 ? [formatCount(this.#secrets, 'secret')] : []),
      ...(this.#ids > 0 ? [`${formatCount(this.#ids, 'reference')} to records that are not copied`] : []),
      ...(administrators > 0
        ? [
            `the rights of ${formatCount(administrators, 'administrator')}, who ${administrators === 1 ? 'becomes a plain user' : 'become plain users'}`,
          ]
        : []),
    ];
  }

  #record({ name, resource }: Kind, fields: JsonObject): JsonObject {
    const unique = resource.unique.filter(({ within }) => within === 'service').map(({ field }) => field);
    const record = this.#fields(withoutPaths(fields, unique));
    if (name !== 'users' || this.#rules.administrators || ownValue(record, 'priv_level') !== 'admin')
      return record;
    this.#administrators += 1;
    return { ...record, priv_level: 'user' };
  }

  #fields(fields: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(fields).flatMap(([key, part]) => {
        const name = this.#text(key);
        const inner = this.#part(part);
        return name === undefined || inner === undefined ? [] : [[name, inner] as const];
      }),
    );
  }

  #part(part: Json | undefined): Json | undefined {
    if (typeof part === 'string') return this.#text(part);
    if (Array.isArray(part)) return part.flatMap((each: Json) => this.#part(each) ?? []);
    return isObject(part) ? this.#fields(part) : part;
  }

  #text(text: string): string | undefined {
    if (/^\$\{env\.\w+\?\}$/.test(text)) {
      this.#secrets += 1;
      return undefined;
    }
    const callflow = /^\$\{callflows\.(.+)\}$/.exec(text)?.[1];
    if (/^[0-9a-f]{32}$/.test(text) || (callflow !== undefined && this.#unreached.has(callflow))) {
      this.#ids += 1;
      return undefined;
    }
    const number = isExternal(text) ? normalisedNumber(text) : text;
    if (!this.#owned.has(number)) return text;
    const replacement = this.#rules.numbers.get(number);
    if (replacement === undefined) this.#unmapped.add(number);
    return replacement;
  }
}

function withoutPaths(fields: JsonObject, paths: readonly string[]): JsonObject {
  return paths.reduce((rest: JsonObject, path): JsonObject => {
    const [first = '', ...inner] = path.split('.');
    const { [first]: part, ...others } = rest;
    if (inner.length === 0 || !isObject(part)) return others;
    return { ...others, [first]: withoutPaths(part, [inner.join('.')]) };
  }, fields);
}
