import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { humanize } from '../../../base/wording.ts';
import { answering, type CallflowModule } from '../../../contract/callflow-modules.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import { type LineForm, lineFormOf, stepTo, wordsOfLine } from '../../../contract/line-form.ts';
import type { Resource } from '../../../contract/types.ts';
import { createValidator } from '../../../contract/validate.ts';
import type { Context } from '../../command/context.ts';
import type { AskRecords } from './ask-records.ts';

interface Structure {
  readonly context: Context;
  readonly askRecords: AskRecords;
  readonly resource: Resource;
  readonly field: string;
  readonly isNeeded: boolean;
}

const formOf = ({ schema }: Resource, field: string): LineForm | undefined =>
  lineFormOf(schema, schema.properties?.[field] ?? {});

/** Returns true for a field with several values that fits in one line: members, flows and lists. */
export const isAskable = (resource: Resource, field: string): boolean =>
  formOf(resource, field) !== undefined;

const option = '-f FILE';

/** Asks until the value is valid. Returns `undefined` if the user skips it. */
export async function askStructure(structure: Structure): Promise<Json | undefined> {
  const { context, resource, field, isNeeded } = structure;
  const form = formOf(resource, field);
  const check = createValidator(resource.schema, 'conventions', { required: [], partial: true });
  for (;;) {
    const value = form && (await (isFlow(form) ? askFlow : askLine)(structure, form));
    if (value === undefined && !isNeeded) return undefined;
    const [first] = value === undefined ? [{ message: 'it cannot be empty' }] : check({ [field]: value });
    if (first === undefined) return value;
    context.notices.warn(`${humanize(field)}: ${first.message}.`);
  }
}

const isFlow = ({ names, isMany }: LineForm): boolean => names !== undefined && !isMany;

export const fieldLabel = (field: string): string => {
  const label = humanize(field);
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
};

async function askLine(
  { context, askRecords, resource, field, isNeeded }: Structure,
  form: LineForm,
): Promise<Json | undefined> {
  const { isMany, names } = form;
  const what = names ? 'numbers or names' : form.parts.join(':');
  const facts = [
    [what, isMany ? 'with commas between' : 'one'].filter((fact) => fact !== '').join(', '),
    ...(isNeeded ? [] : ['optional']),
  ];
  const question = `${field === 'endpoints' ? 'Members' : fieldLabel(field)} (${facts.join('; ')}):`;
  if (names !== undefined) {
    const others = names.filter((name) => name !== resource.name).map(resourceByName);
    const chosen = await askRecords(others, { question, option, isMany, isNeeded });
    return chosen.length === 0 ? undefined : form.value(chosen);
  }
  const said = (await context.ask.text(question, { option, initial: '' })).trim();
  return said === '' ? undefined : form.value(wordsOfLine(form, said));
}

async function askFlow({ askRecords, isNeeded, context }: Structure): Promise<Json | undefined> {
  const resources = [...answering.keys()].map(resourceByName);
  const kinds = ['a user', 'a menu', 'a voicemail box', 'a group, …'].join(', ');
  const askStep = async (question: string, needed: boolean): Promise<JsonObject | undefined> => {
    const [chosen] = await askRecords(resources, { question, option, isNeeded: needed });
    const module = chosen && answering.get(chosen.resource.name);
    if (chosen === undefined || module === undefined) return undefined;
    return stepTo(chosen, await branchesOf(module));
  };
  const branchesOf = async ({ end, branches }: CallflowModule): Promise<JsonObject> => {
    if (end === 'rings') {
      const next = await askStep('If there is no answer (Enter: finish):', false);
      return next === undefined ? {} : { _: next };
    }
    const { others } = branches;
    const children: Record<string, JsonObject> = {};
    while (end === 'chooses' && others !== undefined) {
      const key = (
        await context.ask.text('Key that callers press (Enter: finish):', { option, initial: '' })
      ).trim();
      if (key === '') break;
      if (!new RegExp(others.pattern).test(key)) {
        context.notices.warn(`${JSON.stringify(key)} is not ${others.what}.`);
        continue;
      }
      const next = await askStep(`What answers at ${key} (Enter: skip):`, false);
      if (isObject(next)) children[key] = next;
    }
    return children;
  };
  return askStep(`What answers (${kinds}: number or name${isNeeded ? '' : '; optional'}):`, isNeeded);
}
