import { counted } from '../base/wording.ts';
import type { Problem } from './validate.ts';

/** Finding of the validator: a rule's keyword, where, with which parameters. */
export interface Finding {
  readonly keyword: string;
  /** JSON Pointer to the value. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly value: unknown;
  readonly message?: string;
}

const ruleWords = new Map([
  ['format', 'wrong_format'],
  ['anyOf', 'not_one_schema_valid'],
  ['oneOf', 'not_one_schema_valid'],
  ['const', 'enum'],
]);

const typeWords = new Map([
  ['string', 'text'],
  ['integer', 'a whole number'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
]);

const messages = new Map<string, (target: unknown) => string>([
  ['required', () => 'is required'],
  [
    'type',
    (types) =>
      `must be ${listOf(types)
        .map((type) => typeWords.get(type) ?? type)
        .join(' or ')}`,
  ],
  ['enum', (values) => `must be one of ${listOf(values).join(', ')}`],
  [
    'minLength',
    (n) => (n === 1 ? 'must not be empty' : `must have at least ${counted(Number(n), 'character')}`),
  ],
  ['maxLength', (n) => `must have at most ${counted(Number(n), 'character')}`],
  ['minimum', (n) => `must be at least ${n}`],
  ['maximum', (n) => `must be at most ${n}`],
  ['minItems', (n) => `must have at least ${counted(Number(n), 'item')}`],
  ['minProperties', (n) => (n === 1 ? 'must not be empty' : `must have at least ${n} entries`)],
  ['uniqueItems', () => 'must not hold the same item twice'],
  ['pattern', (pattern) => `must match ${pattern}`],
  ['wrong_format', (format) => (format === 'email' ? 'must be an e-mail address' : 'must be a URL')],
  ['additionalProperties', () => 'is not an allowed key'],
  ['not_one_schema_valid', () => 'has none of the allowed forms'],
]);

/** `null` is left out: that it removes a key in parts of records is no news to whoever sent something else. */
const listOf = (values: unknown): readonly string[] =>
  (Array.isArray(values) ? values : [values]).filter((one) => one !== null && one !== 'null').map(String);

/** Returns what a rule wanted, by the parameter that the validator keeps it in. */
const wanted = ({ params }: Finding): unknown =>
  params.limit ??
  params.allowedValues ??
  params.allowedValue ??
  params.type ??
  params.pattern ??
  params.format;

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function pathOf({ instancePath, params }: Finding): string {
  const keys = instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const absent = params.missingProperty ?? params.additionalProperty;
  return [...keys, ...(absent === undefined ? [] : [String(absent)])]
    .map((key) => key.replaceAll('.', '%2E'))
    .join('.');
}

/** A finding in the contract's words (Conventions, validation errors). Values of secret fields are left out. */
export function problemFrom(finding: Finding, isSecret: (path: string) => boolean): Problem {
  const path = pathOf(finding);
  const rule = ruleWords.get(finding.keyword) ?? finding.keyword;
  const target = wanted(finding);
  const shown = rule === 'type' ? listOf(target) : Array.isArray(target) ? target.filter(isScalar) : target;
  const aboutKey = rule === 'required' || rule === 'additionalProperties';
  return {
    path,
    rule,
    message: messages.get(rule)?.(target) ?? finding.message ?? 'does not fit',
    ...(Array.isArray(shown) || isScalar(shown) ? { target: shown } : {}),
    ...(!aboutKey && isScalar(finding.value) && !isSecret(path) ? { value: finding.value } : {}),
  };
}
