import type { JsonObject } from '../../src/base/json.ts';
import type { SchemaNode } from '../../src/contract/schema-node.ts';
import { type ControlOperation, controls } from '../../src/extensions/sandbox/control-operations.ts';
import { doc, fieldsOf } from './operation-types.mts';

/** Maps exported types to the controls that accept them. */
const controlTypes = {
  Fault: 'addFault',
  CallRequest: 'call',
  SmsRequest: 'sms',
  FaxRequest: 'fax',
  VoicemailRequest: 'voicemail',
  PhoneRequest: 'registerPhones',
} as const;

const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the module with the types of sandbox controls. */
export function sandboxTypes(): string {
  const types = Object.entries(controlTypes).map(([name, control]) => {
    const { description, properties = {}, required = [] }: SchemaNode = controls[control].input;
    // Programs have no dry run.
    const fields = Object.entries(properties).filter(([field]) => field !== 'dry_run');
    const node: JsonObject = JSON.parse(
      JSON.stringify({
        properties: Object.fromEntries(fields.map(([field, each]) => [camelCase(field), each])),
      }),
    );
    return `${doc(description ?? '').trimEnd()}\nexport interface ${name} {\n${fieldsOf(node, required.map(camelCase))}\n}`;
  });
  return `// Made from the controls of the sandbox by npm run generate. Change control-operations.ts instead.\n\n${types.join('\n\n')}\n`;
}

const partOfPath = /:(\w+)/g;
const plain = (schema: SchemaNode): JsonObject =>
  JSON.parse(JSON.stringify(schema, (word, value) => (word === 'x-shown-as' ? undefined : value)));
const content = (schema: SchemaNode) => ({ 'application/json': { schema: plain(schema) } });
const text = { type: 'string' };
const refusal: SchemaNode = {
  type: 'object',
  properties: {
    error: { type: 'object', properties: { code: text, message: text }, required: ['code', 'message'] },
  },
  required: ['error'],
};

/** Returns a control as an OpenAPI operation. */
function controlObject(name: string, { method, path, input, reply }: ControlOperation): JsonObject {
  const { description = '', properties = {}, required = [] } = input;
  const inPath = [...path.matchAll(partOfPath)].map(([, part = '']) => part);
  const others = Object.entries(properties).filter(([field]) => !inPath.includes(field));
  const parameters = Object.entries(properties)
    .filter(([field]) => inPath.includes(field) || method !== 'POST')
    .map(([field, { description: what = '', ...schema }]) => ({
      name: field,
      in: inPath.includes(field) ? 'path' : 'query',
      description: what,
      required: required.includes(field),
      schema: plain(schema),
    }));
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const body = { ...input, properties: Object.fromEntries(others) };
  return {
    operationId: name,
    summary: `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
    ...(others.length > 0 ? { description } : {}),
    parameters,
    ...(method === 'POST' && others.length > 0 ? { requestBody: { content: content(body) } } : {}),
    responses: {
      200: { description: 'Done', content: content(reply) },
      '4XX': { description: 'Refused', content: content(refusal) },
    },
  };
}

export function sandboxOpenApi(): JsonObject {
  const paths = Map.groupBy(Object.entries(controls), ([, { path }]) => path);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Controls of a telctl sandbox',
      version: '1',
      summary: 'Clock, faults, simulated calls, log and snapshots of a sandbox',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: 'http://127.0.0.1:{port}',
        description: 'A sandbox on this machine',
        variables: { port: { default: '8080' } },
      },
    ],
    security: [{ key: [] }],
    paths: Object.fromEntries(
      [...paths].map(([path, here]) => [
        path.replaceAll(partOfPath, '{$1}'),
        Object.fromEntries(
          here.map(([name, control]) => [control.method.toLowerCase(), controlObject(name, control)]),
        ),
      ]),
    ),
    components: {
      securitySchemes: {
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Sandbox-Key',
          description: 'The control key; reading takes it only if other machines reach the sandbox',
        },
      },
    },
  };
}
