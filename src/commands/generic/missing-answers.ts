import { Failure, withHint } from '../../base/failure.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { Context } from '../../command/context.ts';
import { optionFields } from '../../contract/schema.ts';
import type { Resource } from '../../contract/types.ts';
import { askSecretTwice } from '../ask-secret.ts';
import { flagOf } from './field-options.ts';
import { secretFields, secretFlag } from './secret-options.ts';

/**
 * The secrets that the service found missing, asked for at a terminal. Throws the refusal itself where something else
 * is wrong or nobody can be asked, with the options that give what is missing.
 */
export async function missingSecrets(
  context: Context,
  resource: Resource,
  refusal: unknown,
): Promise<JsonObject> {
  const refused = refusedFields(refusal);
  const missing = refused.flatMap(({ field, rule }) => (rule === 'required' ? [field] : []));
  const secrets = new Set(secretFields(resource));
  const canAsk = context.ask.available && missing.length > 0 && missing.length === refused.length;
  if (!canAsk || !missing.every((field) => secrets.has(field))) throw withOptions(resource, missing, refusal);
  const answers: [string, string][] = [];
  for (const field of missing) {
    const question = `${field.charAt(0).toUpperCase()}${field.slice(1)} of the new ${resource.singular}:`;
    answers.push([field, await askSecretTwice(context, question, `--${secretFlag(field)}-stdin`)]);
  }
  return Object.fromEntries(answers);
}

/** The fields that a refusal names, with the rules that they break. */
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

/** A refusal that names the options which give the missing fields. */
function withOptions(resource: Resource, missing: readonly string[], refusal: unknown): unknown {
  const options = missing.flatMap((field) => optionsFor(resource, field));
  if (!(refusal instanceof Failure) || refusal.hint !== undefined || options.length === 0) return refusal;
  return withHint(refusal, `Give ${options.join(' and ')}.`);
}

/** Returns the options that give a field on the command line, if it has options of its own. */
export function optionsFor(resource: Resource, field: string): readonly string[] {
  if (secretFields(resource).includes(field)) return [`--${secretFlag(field)}-stdin`];
  const own = optionFields(resource).find((each) => each.field === field);
  return own === undefined ? [] : [`--${flagOf(resource, own)}`];
}
