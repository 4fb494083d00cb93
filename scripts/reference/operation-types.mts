import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { resourceByName, resources } from '../../src/contract/catalogue.ts';
import { samplePayload, shownSamples } from '../../src/contract/hook-samples.ts';
import { hooks, notificationKeys } from '../../src/contract/hooks.ts';
import { dataSchema } from '../../src/contract/openapi.ts';
import { Components, replyData } from '../../src/contract/published-components.ts';
import { isListed } from '../../src/contract/resource.ts';
import { findChildNode } from '../../src/contract/schema-node.ts';
import type { Operation, Resource } from '../../src/contract/types.ts';
import {
  idParameters,
  methodName,
  offeredOperations,
  takesData,
  takesFile,
} from '../../src/library/methods.ts';

const head = `// Made from the contract by npm run generate. Change src/contract/resources instead.
import type { CallOptions, Records, Sent, SentFile } from '../client-types.ts';
`;

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** Returns a one-line comment. Ends of comments in the text are escaped. */
export const doc = (text: string): string => (text === '' ? '' : `/** ${text.replaceAll('*/', '* /')} */ `);

const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

/** Returns the name of an interface. Records have a suffix, because one of them would be called Number. */
const interfaceName = (component: string): string =>
  recordNames.has(component) ? `${component}Record` : component;

const components = new Components('conventions');
const recordNames = new Set(resources.map((resource) => nameIn(components.record(resource))));

function nameIn({ $ref }: JsonObject): string {
  return textOf($ref).replace('#/components/schemas/', '');
}

/** Returns the values of a field. Values of compatible services are open: other strings are allowed. */
function enumType(node: JsonObject): string {
  const words = listOf(node.enum).map((word) => JSON.stringify(word));
  const isConvention = listOf(node['x-conventions']).includes('enum');
  return [...words, ...(isConvention ? ['(string & {})'] : [])].join(' | ');
}

const scalars = new Map([
  ['string', 'string'],
  ['integer', 'number'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

function typeOf(node: Json | undefined): string {
  if (!isObject(node)) return 'unknown';
  if (node.$ref !== undefined) return interfaceName(nameIn(node));
  if (node.enum !== undefined && node.type === 'string') return enumType(node);
  const choices = [...listOf(node.anyOf), ...listOf(node.oneOf)];
  if (choices.length > 0) return [...new Set(choices.map(typeOf))].join(' | ');
  const types = (Array.isArray(node.type) ? node.type : [node.type]).filter(
    (each) => typeof each === 'string',
  );
  if (types.length === 0) return 'unknown';
  return types.map((type) => typed(type, node)).join(' | ');
}

function typed(type: string, node: JsonObject): string {
  if (type === 'array') return `readonly (${typeOf(node.items)})[]`;
  if (type !== 'object') return scalars.get(type) ?? 'unknown';
  const fields = fieldsOf(node);
  const { additionalProperties: others } = node;
  if (fields === '') return `{ readonly [key: string]: ${isObject(others) ? typeOf(others) : 'unknown'} }`;
  return `{\n${fields}\n${others === undefined || others === false ? '' : 'readonly [key: string]: unknown;\n'}}`;
}

export function fieldsOf(node: JsonObject, always: readonly Json[] = []): string {
  const required = [...listOf(node.required), ...always];
  return Object.entries(isObject(node.properties) ? node.properties : {})
    .map(([name, field]) => {
      const described = isObject(field) ? textOf(field.description) : '';
      return `${doc(described)}readonly ${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)};`;
    })
    .join('\n');
}

/** Returns the fields that a record has in every response: its id and its required fields. */
function guaranteedFields({ kind, required, listFields, schema }: Resource): readonly string[] {
  const asked = required.flatMap(({ on, fields }) => (on.includes('update') ? fields : []));
  const isSent = (field: string): boolean =>
    (listFields.length === 0 || listFields.includes(field)) &&
    findChildNode(schema, schema, field)?.['x-secret'] === undefined;
  return kind === 'singleton' ? [] : ['id', ...asked.filter(isSent)];
}

function resultOf(operation: Operation): string {
  const { reply, resource } = operation;
  if (isListed(operation)) {
    const items =
      reply.kind === 'list' && reply.items
        ? components.inline(reply.items, 'reply')
        : components.record(resourceByName((reply.kind === 'list' ? reply.resource : undefined) ?? resource));
    return `Records<${typeOf(items)}>`;
  }
  if (reply.kind === 'empty') return 'Sent<void>';
  if (reply.kind === 'file') return 'Sent<SentFile>';
  const data = typeOf(replyData(operation, reply, components));
  const others = reply.kind === 'record' && reply.orOther ? ' | string | readonly unknown[]' : '';
  return `Sent<${data}${others}>`;
}

function methodOf(operation: Operation): string {
  const ids = idParameters(operation).map((name) => `${name}: string`);
  const data = takesData(operation)
    ? [
        `data${operation.bodyOptional ? '?' : ''}: ${typeOf(dataSchema(operation, 'conventions', components))}`,
      ]
    : takesFile(operation)
      ? ['file: SentFile']
      : [];
  const query = (operation.query ?? [])
    .map((each) => `${doc(each.doc)}readonly ${key(each.name)}${each.required ? '' : '?'}: string;`)
    .join(' ');
  const mustAsk = operation.query?.some(({ required }) => required) === true;
  const options =
    query === ''
      ? 'CallOptions'
      : `CallOptions<{ ${query} }>${mustAsk ? ` & { readonly query: unknown }` : ''}`;
  const line = (optionType: string, result: string) =>
    `${doc(`${operation.summary}.`)}${key(methodName(operation))}(${[...ids, ...data, optionType].join(', ')}): ${result};`;
  const texts = (operation.accepts ?? []).map((type) => JSON.stringify(type)).join(' | ');
  return [
    ...(texts === '' ? [] : [line(`options: ${options} & { readonly accept: ${texts} }`, 'Sent<string>')]),
    line(`options${mustAsk ? '' : '?'}: ${options}`, resultOf(operation)),
  ].join('\n');
}

const sampled = (hook: string, type?: string): JsonObject =>
  samplePayload(hook, { accountId: 'a', timestamp: 0, newId: () => 'a', type });

/** Returns the fields of a sample as a type. Only the account is guaranteed. */
function payloadType(sample: JsonObject, words: Readonly<Record<string, string>> = {}): string {
  const fields = Object.entries(sample).map(([name, value]) => {
    const isKept = name === 'account_id' || name in words;
    const type = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : typeof value;
    return `readonly ${key(name)}${isKept ? '' : '?'}: ${words[name] ?? typed(type, {})};`;
  });
  return `{\n${fields.join('\n')}\nreadonly [key: string]: unknown;\n}`;
}

/** Returns the payloads of webhooks by hook. Those of notifications are distinguished by `event_name`. */
function payloadTypes(): string {
  const descriptions = new Map<string, string>(hooks.map(({ id, description }) => [id, description]));
  const types = shownSamples.map((hook) => {
    const notifications =
      hook === 'notifications' ? [...notificationKeys.keys()] : hook === 'fax' ? faxTypes : undefined;
    const type = notifications
      ? notifications
          .map((name) => payloadType(sampled('notifications', name), { event_name: JSON.stringify(name) }))
          .join(' | ')
      : payloadType(sampled(hook));
    return `${doc(`${descriptions.get(hook) ?? 'A call is parked, fetched or given up'}.`)}readonly ${hook}: ${type};`;
  });
  const calls = shownSamples.filter((hook) => hook.startsWith('channel_'));
  const all = calls.map((hook) => `WebhookPayloads['${hook}']`).join(' | ');
  return [
    '/** Payloads of webhooks by hook, as compatible services send them; keys of `custom_data` stand there, too. */',
    `export interface WebhookPayloads {\n${types.join('\n')}\n/** Any of the events of calls. */ readonly all: ${all};\n}`,
  ].join('\n');
}

const faxTypes = [...notificationKeys.keys()].filter((name) => name.endsWith('_fax'));

/** Returns the methods of a client and their record types as TypeScript. */
export function operationTypes(): string {
  const methods = [...Map.groupBy(offeredOperations, ({ resource }) => resource)].map(([name, own]) => {
    const { summary } = resourceByName(name);
    return `${doc(`${summary}.`)}readonly ${name}: {\n${own.map(methodOf).join('\n')}\n};`;
  });
  const sent = new Map(resources.map((each) => [nameIn(components.record(each)), guaranteedFields(each)]));
  const records = Object.entries(components.schemas()).map(([name, node]) => {
    if (!isObject(node)) return '';
    const described = doc(textOf(node.description)).trimEnd();
    const fields = fieldsOf(node, sent.get(name));
    const open = node.additionalProperties === undefined || node.additionalProperties === false;
    const body =
      fields === '' || node.type !== 'object'
        ? `export type ${interfaceName(name)} = ${typeOf(node)};`
        : `export interface ${interfaceName(name)} {\n${fields}\n${open ? '' : 'readonly [key: string]: unknown;\n'}}`;
    return `${described}\n${body}`;
  });
  return `${[
    head,
    '/** The operations of the service, by resource and verb. */',
    `export interface Operations {\n${methods.join('\n')}\n}`,
    ...records,
    payloadTypes(),
  ].join('\n')}\n`;
}
