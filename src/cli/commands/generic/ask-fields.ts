import { suggestAllowed } from '../../../base/nearest.ts';
import { formExamples } from '../../../base/shown-form.ts';
import { humanize } from '../../../base/wording.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import { type OptionField, optionFields, requiredFields } from '../../../contract/schema.ts';
import { resolveReference, type SchemaNode, stepKind } from '../../../contract/schema-node.ts';
import type { Resource } from '../../../contract/types.ts';
import { createValidator } from '../../../contract/validate.ts';
import { textNode } from '../../../engine/input/assign.ts';
import { optionSource } from '../../../engine/input/document.ts';
import { createShape, readScalar } from '../../../engine/input/read-scalar.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { type AskRecords, recordAsker } from './ask-records.ts';
import { askStructure, fieldLabel, isAskable } from './ask-structures.ts';
import {
  askedSecretKey,
  fieldFlag,
  lineKey,
  optionTexts,
  secretFields,
  secretFlag,
} from './input-options.ts';

const isFieldGiven = (resource: Resource, input: ParsedInput, field: string): boolean =>
  input[field] !== undefined ||
  resource.lines?.some((line) => line.fields.includes(field) && input[lineKey(line)] !== undefined) ||
  input[`${field}File`] !== undefined ||
  input[`${field}Stdin`] === true ||
  [...optionTexts(input.set), ...optionTexts(input.setJson)].some(
    (text) => /^[^=.]*/.exec(text)?.[0] === field,
  );

/**
 * Asks at a terminal for missing fields of a new record: required fields and, if the input is empty, the fields of
 * the list and those that connect calls. References are chosen from a list. Returns the input unchanged without a
 * terminal, or if a required field does not fit in a line. Throws `interrupted` on Ctrl-C.
 */
export async function askMissing(
  context: Context,
  resource: Resource,
  input: ParsedInput,
): Promise<ParsedInput> {
  if (!context.ask.available || optionTexts(input.files).length > 0) return input;
  const fields = new Map(optionFields(resource).map((each) => [each.field, each]));
  const secrets = new Set(secretFields(resource));
  const canAsk = (field: string): boolean =>
    fields.has(field) || secrets.has(field) || isAskable(resource, field);
  const missingRequired = (sources: Parameters<typeof requiredFields>[2]): readonly string[] =>
    requiredFields(resource, 'create', sources).filter((field) => !isFieldGiven(resource, input, field));
  const required = missingRequired(['specification', 'convention']);
  const optional = [...fields.keys(), ...secrets];
  const isForm =
    !optional.some((field) => isFieldGiven(resource, input, field)) &&
    optionTexts(input.set).length + optionTexts(input.setJson).length === 0;
  if (!required.every(canAsk)) return input;
  const usual = isForm ? formFields(resource).filter((field) => !required.includes(field)) : [];
  if (required.length + usual.length === 0) return input;
  const needed = new Set(missingRequired(['specification']));
  if (isForm)
    context.notices.say(
      `A new ${humanize(resource.singular)}. Press Ctrl-C to cancel. Nothing is sent before the last answer.`,
    );
  const askRecords = recordAsker(context);
  const answers: ParsedInput = {};
  const structures: string[] = [];
  for (const name of [...required, ...usual]) {
    const isRequired = required.includes(name);
    const field = fields.get(name);
    if (secrets.has(name)) {
      Object.assign(answers, { [askedSecretKey(name)]: await askSecret(context, name) });
      continue;
    }
    if (field === undefined) {
      if (!isRequired && isUniqueList(resource, name) && structures.length > 0) continue;
      const value = await askStructure({ context, askRecords, resource, field: name, isNeeded: isRequired });
      if (value !== undefined) structures.push(`${name}=${JSON.stringify(value)}`);
      continue;
    }
    const answer = await askField(context, askRecords, resource, field, {
      isOptional: !isRequired,
      isNeeded: needed.has(name),
    });
    if (answer !== undefined) Object.assign(answers, { [name]: answer });
  }
  return { ...input, ...answers, setJson: [...optionTexts(input.setJson), ...structures] };
}

/** Returns the fields for incoming calls, and the fields that answer them. One field for incoming calls is enough. */
const routingFields = (resource: Resource): readonly string[] => {
  const { schema } = resource;
  const isFlow = (node: SchemaNode): boolean => stepKind(resolveReference(schema, node)) !== undefined;
  return Object.entries<SchemaNode>(schema.properties ?? {}).flatMap(([field, node]) =>
    isAskable(resource, field) && (isFlow(node) || isUniqueList(resource, field)) ? [field] : [],
  );
};

const isUniqueList = ({ schema, unique }: Resource, name: string): boolean =>
  schema.properties?.[name]?.type === 'array' && unique.some(({ field }) => field === name);

async function askSecret({ ask, notices }: Context, field: string): Promise<string> {
  const question = `${fieldLabel(field)} (not shown):`;
  for (;;) {
    const said = await ask.secret(question, { option: `--${secretFlag(field)}-stdin` });
    if (said !== '') return said;
    notices.warn(`${humanize(field)} cannot be empty.`);
  }
}

/** Returns the optional fields of a form: those of the list, and those that connect calls. */
export function formFields(resource: Resource): readonly string[] {
  const fields = new Map(optionFields(resource).map(({ field, type }) => [field, type]));
  const listed = resource.columns
    .flatMap(({ paths }) => paths)
    .filter((path) => (fields.get(path) ?? 'boolean') !== 'boolean');
  return [...new Set(listed), ...routingFields(resource)];
}

/** `First name`, `Priv level (user, admin; optional)`. */
function fieldQuestion({ field, choices, suggestions, form }: OptionField, isOptional: boolean): string {
  const words = choices ?? suggestions;
  const facts = [
    ...(words && words.length <= 6 ? [words.join(', ')] : []),
    ...(form && formExamples[form] ? [`for example ${formExamples[form]}`] : []),
    ...(isOptional ? ['optional'] : []),
  ].join('; ');
  return `${fieldLabel(field)}${facts === '' ? '' : ` (${facts})`}:`;
}

async function askField(
  context: Context,
  askRecords: AskRecords,
  resource: Resource,
  field: OptionField,
  { isOptional, isNeeded }: { readonly isOptional: boolean; readonly isNeeded: boolean },
): Promise<string | undefined> {
  const option = `--${fieldFlag(resource, field)}`;
  if (field.ref) {
    const named = resourceByName(field.ref);
    const label = fieldQuestion({ ...field, field: field.field.replace(/_id$/, '') }, isOptional);
    const question = label.replace(
      /(?: \((.*)\))?:$/,
      (_, facts) => ` (${['number or name', ...(facts ? [facts] : [])].join('; ')}):`,
    );
    const [chosen] = await askRecords([named], { question, option, isNeeded });
    return chosen?.id;
  }
  for (;;) {
    const said = (await context.ask.text(fieldQuestion(field, isOptional), { option, initial: '' })).trim();
    if (said === '' && !isNeeded) return undefined;
    const answer = optionValue(field, said);
    const trouble = said === '' ? 'it cannot be empty' : answerProblem(resource, field, answer);
    if (trouble === undefined) return answer;
    context.notices.warn(`${humanize(field.field)}: ${trouble}.`);
  }
}

const optionValue = ({ type }: OptionField, said: string): string =>
  type === 'boolean' ? String(/^(?:y|yes|true)$/i.test(said)) : said;

/** Describes why the contract does not allow an answer. Returns `undefined` for a valid answer. */
function answerProblem({ schema }: Resource, { field, type }: OptionField, said: string): string | undefined {
  const node = { ...textNode(optionSource(field), said), plain: type !== 'string' };
  const reading = readScalar(node, createShape(schema.properties?.[field]));
  if ('expected' in reading) return `must be ${reading.expected}, not ${JSON.stringify(said)}`;
  const check = createValidator(schema, 'conventions', { required: [], partial: true });
  const [first] = check({ [field]: reading.value });
  return first && `${first.message}${suggestAllowed(first)}`;
}
