import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { inWords } from '../../../base/wording.ts';
import { answering, type CallflowModule } from '../../../contract/callflow-modules.ts';
import { resourceByName, resourceByWord } from '../../../contract/catalogue.ts';
import { resolved, type SchemaNode, stepKind } from '../../../contract/schema-node.ts';
import type { Resource, ResourceName } from '../../../contract/types.ts';
import { createValidator } from '../../../contract/validate.ts';
import type { Context } from '../../command/context.ts';
import type { AskRecords } from './ask-records.ts';

/** Question for a field that holds more than one value. */
interface Structure {
  readonly context: Context;
  readonly askRecords: AskRecords;
  readonly resource: Resource;
  readonly field: string;
  readonly isNeeded: boolean;
}

/** Fields of several values that can be asked for line by line: members, flows, and lists of texts. */
export const isAskable = (resource: Resource, field: string): boolean =>
  wayOf(resource, nodeOf(resource, field)) !== undefined;

const nodeOf = ({ schema }: Resource, field: string): SchemaNode =>
  resolved(schema, schema.properties?.[field] ?? {});

const option = '-f FILE';

/** The value of such a field, asked for until it fits the contract; `undefined` where it is left out. */
export async function askStructure(structure: Structure): Promise<Json | undefined> {
  const { context, resource, field, isNeeded } = structure;
  const check = createValidator(resource.schema, 'conventions', { required: [], partial: true });
  for (;;) {
    const value = await wayOf(resource, nodeOf(resource, field))?.(structure, fieldLabel(field));
    if (value === undefined && !isNeeded) return undefined;
    const [first] = value === undefined ? [{ message: 'it cannot be empty' }] : check({ [field]: value });
    if (first === undefined) return value;
    context.notices.warn(`${inWords(field)}: ${first.message}.`);
  }
}

type Way = (structure: Structure, label: string) => Promise<Json | undefined>;

/** The way in which a node of a schema is asked for; none for what no line can hold. */
function wayOf(resource: Resource, node: SchemaNode): Way | undefined {
  if (stepKind(node) === 'callflow') return askFlow;
  if (node['x-key-ref'] !== undefined) return askMembers(resource, node);
  if (node['x-dialled'] && node.type === 'object') return askKeys;
  if (node.type !== 'array' || node.items === undefined) return undefined;
  const item = resolved(resource.schema, node.items);
  if ((item.type ?? item['x-convention']?.type) === 'string') return node['x-dialled'] ? askTexts : askText;
  return item.type === 'object' && linesOfItem(item).length > 0 ? askItem(item) : undefined;
}

export const fieldLabel = (field: string): string => {
  const label = inWords(field);
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
};

const factsOf = (...facts: readonly (string | false)[]): string => {
  const said = facts.filter((fact) => fact !== false);
  return said.length === 0 ? '' : ` (${said.join('; ')})`;
};

async function wordsFor({ context, isNeeded }: Structure, label: string): Promise<readonly string[]> {
  const facts = factsOf('with commas between', !isNeeded && 'optional');
  const said = await context.ask.text(`${label}${facts}:`, { option, initial: '' });
  return said
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

const askTexts: Way = async (structure, label) => nonEmpty([...(await wordsFor(structure, label))]);

const nonEmpty = (value: Json): Json | undefined =>
  Object.keys(value ?? {}).length === 0 ? undefined : value;

/** A list of one text: an expression may hold commas. */
const askText: Way = async ({ context, isNeeded }, label) => {
  const facts = factsOf('one', !isNeeded && 'optional');
  const said = (await context.ask.text(`${label}${facts}:`, { option, initial: '' })).trim();
  return said === '' ? undefined : [said];
};

/** A map by numbers: each with nothing more said of it. */
const askKeys: Way = async (structure, label) =>
  nonEmpty(Object.fromEntries((await wordsFor(structure, label)).map((word) => [word, {}])));

/** Members by id: records chosen from the account's lists. */
const askMembers =
  (resource: Resource, node: SchemaNode): Way =>
  async ({ askRecords, isNeeded }, label) => {
    const { additionalProperties, 'x-key-ref': keyRef } = node;
    const item = typeof additionalProperties === 'object' ? additionalProperties : {};
    const words = item.properties?.type?.['x-convention']?.enum ?? [];
    const kinds =
      keyRef === 'type'
        ? words.flatMap((word) => resourceByWord(String(word)) ?? [])
        : [resourceByName(keyRef as ResourceName)];
    const others = kinds.filter(({ name }) => name !== resource.name);
    const question = `${label === 'Endpoints' ? 'Members' : label}${factsOf('numbers or names, with commas between', !isNeeded && 'optional')}:`;
    const chosen = await askRecords(others, { question, option, isMany: true, isNeeded });
    return nonEmpty(
      Object.fromEntries(
        chosen.map(({ id, resource: { singular } }) => [id, keyRef === 'type' ? { type: singular } : {}]),
      ),
    );
  };

/** Fields of an item that are asked for: those that must be there, or all where they are few. */
function linesOfItem({ properties = {}, 'x-convention': convention }: SchemaNode): readonly string[] {
  const required = convention?.required ?? [];
  if (required.length > 0) return required;
  const fields = Object.keys(properties);
  return fields.length <= 3 ? fields : [];
}

/** A list of one item: more than one is for a file. */
const askItem =
  (item: SchemaNode): Way =>
  async ({ context, isNeeded }, label) => {
    const value: Record<string, Json> = {};
    for (const name of linesOfItem(item)) {
      const words = item.properties?.[name]?.['x-convention']?.enum ?? [];
      const facts = factsOf(words.length > 0 && words.join(', '), !isNeeded && 'optional');
      const said = (
        await context.ask.text(`${label}, ${inWords(name)}${facts}:`, { option, initial: '' })
      ).trim();
      if (said !== '') value[name] = said;
    }
    return Object.keys(value).length === 0 ? undefined : [value];
  };

/** A module that can answer a call, and the resource that it names. */
const askFlow: Way = async ({ askRecords, isNeeded, context }) => {
  const resources = [...answering.keys()].map(resourceByName);
  const kinds = ['a user', 'a menu', 'a voicemail box', 'a group, …'].join(', ');
  const step = async (question: string, needed: boolean): Promise<JsonObject | undefined> => {
    const [chosen] = await askRecords(resources, { question, option, isNeeded: needed });
    const module = chosen && answering.get(chosen.resource.name);
    if (chosen === undefined || module === undefined) return undefined;
    const children = await branchesOf(module);
    return { module: module.name, data: { id: chosen.id }, children };
  };
  const branchesOf = async ({ end, branches }: CallflowModule): Promise<JsonObject> => {
    if (end === 'rings') {
      const next = await step('And when nobody answers (Enter: nothing more):', false);
      return next === undefined ? {} : { _: next };
    }
    const { others } = branches;
    const children: Record<string, JsonObject> = {};
    while (end === 'chooses' && others !== undefined) {
      const key = (
        await context.ask.text('Key that callers press (Enter: no more):', { option, initial: '' })
      ).trim();
      if (key === '') break;
      if (!new RegExp(others.pattern).test(key)) {
        context.notices.warn(`${JSON.stringify(key)} is not ${others.what}.`);
        continue;
      }
      const next = await step(`What answers at ${key} (Enter: nothing):`, false);
      if (isObject(next)) children[key] = next;
    }
    return children;
  };
  return step(`What answers (${kinds}: number or name${isNeeded ? '' : '; optional'}):`, isNeeded);
};
