import { Failure, withHint } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import {
  formExamples,
  parseShownDay,
  parseShownNumber,
  type ShownForm,
  shownForms,
} from '../../../base/shown-form.ts';
import { hexDigits } from '../../../contract/phone-number.ts';
import { optionFields } from '../../../contract/schema.ts';
import type { Resource } from '../../../contract/types.ts';
import { type Assignment, textNode } from '../../../engine/input/assign.ts';
import { optionSource } from '../../../engine/input/document.ts';
import { readJson } from '../../../engine/input/json-document.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { askSecretTwice, readSecret } from '../passwords/secrets.ts';
import type { Purpose } from './input.ts';
import {
  askedSecretKey,
  fieldFlag,
  lineKey,
  optionTexts,
  secretFields,
  secretFlag,
} from './input-options.ts';

/** Returns the fields that options set and, for a new record, fields derived from them. Throws `Failure`. */
export async function optionAssignments(
  context: Context,
  resource: Resource,
  purpose: Purpose,
  input: ParsedInput,
): Promise<readonly Assignment[]> {
  const { lines = [], implied } = resource;
  const found = [...fieldAssignments(resource, input)];
  const add = (option: string, fields: JsonObject): void => {
    for (const [field, value] of Object.entries(fields))
      found.push({ option, keys: [field], value: readJson(optionSource(option), JSON.stringify(value)) });
  };
  for (const line of lines) {
    const text = input[lineKey(line)];
    if (typeof text !== 'string') continue;
    const option = `--${line.flag}`;
    add(
      option,
      line.read?.(text, option) ??
        (await (await import('./resolve-names.ts')).fieldInLine(context, resource, line, text)),
    );
  }
  const isWhole = [input.set, input.setJson, input.files].every((texts) => optionTexts(texts).length === 0);
  if (implied && purpose === 'create' && isWhole)
    add('options', implied(new Set(found.flatMap(({ keys }) => keys))));
  return found;
}

function fieldAssignments(resource: Resource, input: ParsedInput): readonly Assignment[] {
  const found: Assignment[] = [];
  for (const each of optionFields(resource)) {
    const value = input[each.field];
    if (value === undefined) continue;
    const option = `--${fieldFlag(resource, each)}`;
    const text = each.form
      ? parseNumber(option, each.form, value)
      : normaliseAddress(resource, each.field, option, String(value));
    const node = textNode(optionSource(option), text);
    // Text is never converted. The parser has already checked numbers and switches.
    const sent = each.type === 'string' ? node : { ...node, plain: true };
    found.push({ option, keys: [each.field], value: sent });
  }
  return found;
}

/** Converts a hardware address in any notation to twelve digits. Throws `usage` for an invalid address. */
function normaliseAddress({ schema }: Resource, field: string, option: string, text: string): string {
  if (schema.properties?.[field]?.['x-kept-as'] !== 'hex digits' || text === '') return text;
  const digits = hexDigits(text);
  if (/^[\da-f]{12}$/.test(digits) && /^[\da-f\s:.-]+$/i.test(text)) return digits;
  throw new Failure(
    'usage',
    `${option} must have twelve hexadecimal digits, such as 00:04:f2:ab:7e:fd, not ${JSON.stringify(text)}.`,
  );
}

/** Throws `usage`. */
function parseNumber(option: string, form: ShownForm, value: ParsedInput[string]): string {
  // A date without a time is parsed with the record, in the time zone of the account.
  if (form === 'lines' || parseShownDay(form, String(value)) !== undefined) return String(value).trim();
  const found = parseShownNumber(form, String(value).trim());
  if (found !== undefined) return String(found);
  throw new Failure('usage', `${option} takes ${shownForms[form]}, not ${JSON.stringify(value)}.`, {
    ...(formExamples[form] === undefined ? {} : { hint: `For example: ${option} ${formExamples[form]}` }),
  });
}

export async function secretAssignments(
  context: Context,
  resource: Resource,
  input: ParsedInput,
): Promise<readonly Assignment[]> {
  const fromInput = secretFields(resource).filter((field) => input[`${field}Stdin`] === true);
  const files = Array.isArray(input.files) ? input.files : [];
  if (fromInput.length + files.filter((file) => file === '-').length > 1)
    throw new Failure('usage', 'Only one option can read from standard input.');
  const found: Assignment[] = [];
  for (const field of secretFields(resource)) {
    const file = input[`${field}File`];
    const value = await readSecret(context, secretFlag(field), {
      stdin: input[`${field}Stdin`] === true,
      file: typeof file === 'string' ? file : undefined,
    });
    const asked = input[askedSecretKey(field)];
    const given = value ?? (typeof asked === 'string' ? asked : undefined);
    if (given === undefined) continue;
    const option = `--${secretFlag(field)}-${file === undefined ? 'stdin' : 'file'}`;
    found.push({ option, keys: [field], value: textNode(optionSource(option), given) });
  }
  return found;
}

/** Asks at a terminal for secrets that the service reported as missing. Otherwise throws the refusal. */
export async function missingSecrets(
  context: Context,
  resource: Resource,
  refusal: unknown,
): Promise<JsonObject> {
  const refused = refusedFields(refusal);
  const missing = refused.flatMap(({ field, rule }) => (rule === 'required' ? [field] : []));
  const secrets = new Set(secretFields(resource));
  const canAsk = context.ask.available && missing.length > 0 && missing.length === refused.length;
  if (!canAsk || !missing.every((field) => secrets.has(field)))
    throw withOptionHint(resource, missing, refusal);
  const answers: [string, string][] = [];
  for (const field of missing) {
    const question = `${field.charAt(0).toUpperCase()}${field.slice(1)} of the new ${resource.singular}:`;
    answers.push([field, await askSecretTwice(context, question, `--${secretFlag(field)}-stdin`)]);
  }
  return Object.fromEntries(answers);
}

function refusedFields(refusal: unknown): readonly { readonly field: string; readonly rule: string }[] {
  const details = refusal instanceof Failure ? refusal.details : undefined;
  const fields: unknown = isObject(details) ? details.fields : undefined;
  if (!Array.isArray(fields)) return [];
  return fields.flatMap((each: unknown) =>
    isObject(each) && typeof each.field === 'string' && typeof each.rule === 'string'
      ? [{ field: each.field, rule: each.rule }]
      : [],
  );
}

function withOptionHint(resource: Resource, missing: readonly string[], refusal: unknown): unknown {
  const options = missing.flatMap((field) => optionsFor(resource, field));
  if (!(refusal instanceof Failure) || refusal.hint !== undefined || options.length === 0) return refusal;
  return withHint(refusal, `Give ${options.join(' and ')}.`);
}

export function optionsFor(resource: Resource, field: string): readonly string[] {
  if (secretFields(resource).includes(field)) return [`--${secretFlag(field)}-stdin`];
  const line = resource.lines?.find(({ fields }) => fields.includes(field));
  if (line) return [`--${line.flag}`];
  const own = optionFields(resource).find((each) => each.field === field);
  return own === undefined ? [] : [`--${fieldFlag(resource, own)}`];
}
