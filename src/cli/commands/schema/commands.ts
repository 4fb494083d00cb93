import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { didYouMean, hyphenate } from '../../../base/wording.ts';
import { operations, resourceByName, resourceByWord, resources } from '../../../contract/catalogue.ts';
import { jsonSchema } from '../../../contract/published-schema.ts';
import { commandWordsOf } from '../../../contract/resource.ts';
import type { Operation } from '../../../contract/types.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Result } from '../../command/result.ts';
import { requirePart } from '../extension.ts';

const schemaArguments = {
  resource: {
    name: 'RESOURCE',
    doc: 'Resource, such as users, or manifest, plan or cases',
    choices: [...resources.map(({ name }) => name), 'manifest', 'plan', 'cases'],
    optional: true,
    excludes: ['result'],
  },
} as const;

const schemaOptions = {
  result: {
    value: 'NOUN.VERB',
    doc: 'Schema of the -o json output of a command, such as users.list',
    excludes: ['conventions'],
  },
  conventions: { doc: 'Add rules of compatible services that the specification does not have' },
} as const;

type SchemaInput = InputOf<typeof schemaOptions, typeof schemaArguments>;

export const schemaCommands: readonly Command[] = [
  defineCommand({
    path: ['schema'],
    summary: 'Print the JSON Schema of a resource, manifests, plans or call cases',
    description:
      'JSON Schema 2020-12, for editors and validators. By default it has only the rules of the specification, which telctl enforces. The schema of manifests also has the rules of compatible services, and allows references as values. The schema of plans describes the -o json output of plan, diff and show.',
    arguments: schemaArguments,
    options: schemaOptions,
    anyOf: [['RESOURCE', 'result']],
    effect: 'local',
    attended: false,
    examples: {
      'telctl schema users > users.schema.json': 'Write a schema for an editor',
      'telctl schema callflows --conventions': 'Print rules as strict as those of the sandbox',
      'telctl schema manifest > manifest.schema.json': 'Write a schema for manifests',
      'telctl schema cases > cases.schema.json': 'Write a schema for files of telctl test',
      'telctl schema --result users.list': 'Describe the output of telctl users list -o json',
      'telctl schema plan > plan.schema.json': 'Write a schema for policies on plan -o json',
    },
    load: async () => showSchema,
  }),
];

/** Formats for people also print JSON. */
async function showSchema(input: SchemaInput): Promise<Result> {
  const value = await schemaOf(input);
  return { kind: 'document', text: `${JSON.stringify(value, null, 2)}\n`, value, verbatim: true };
}

async function schemaOf({ resource: word = '', result, conventions }: SchemaInput): Promise<JsonObject> {
  if (result !== undefined) return resultSchemaOf(result);
  if (word === 'manifest')
    return (await import('../../../engine/manifest/manifest-schema.ts')).manifestSchema();
  if (word === 'cases') return requirePart('casesSchema', 'schema cases')();
  if (word === 'plan') return (await import('../../../engine/manifest/plan-schema.ts')).planSchema();
  const resource = resourceByWord(word);
  if (resource === undefined) throw new Failure('usage', `Unknown resource "${word}".`);
  return jsonSchema(resource, conventions ? 'conventions' : 'specification');
}

/** The name of an operation as command words: `users.list`, `temporal-rules.list`, `sso.apps.list`. */
const commandOfOperation = ({ resource, verb }: Operation): string =>
  [...commandWordsOf(resourceByName(resource)), hyphenate(verb)].join('.');

async function resultSchemaOf(word: string): Promise<JsonObject> {
  const { hasResult, resultSchema } = await import('../../../contract/result-schema.ts');
  const wanted = word.trim().replaceAll(/[\s.]+/g, '.');
  const operation = operations.find((each) => each.id === wanted || commandOfOperation(each) === wanted);
  if (operation === undefined)
    throw new Failure(
      'usage',
      `"${word}" is not a command for one operation of the service, such as users.list.${didYouMean(findNearest(wanted, operations.map(commandOfOperation)))}`,
    );
  if (!hasResult(operation))
    throw new Failure(
      'usage',
      `${commandOfOperation(operation)} returns ${operation.reply.kind === 'file' ? 'a file' : 'no data'}, which has no schema.`,
    );
  return resultSchema(operation);
}

const openApiOptions = {
  documented: {
    doc: 'Omit operations, fields and rules of compatible services',
  },
} as const;

type OpenApiInput = InputOf<typeof openApiOptions>;

export const openApiCommands: readonly Command[] = [
  defineCommand({
    path: ['openapi'],
    summary: 'Print the service as an OpenAPI document',
    description:
      'Prints OpenAPI 3.1 as JSON: every operation with its parameters, bodies, replies and errors. Additions of compatible services are marked with x-source and x-conventions.',
    arguments: {},
    options: openApiOptions,
    effect: 'local',
    attended: false,
    examples: {
      'telctl openapi > openapi.json': 'Write a document for generators and API browsers',
      'telctl openapi --documented -o yaml': 'Print only the specification, as YAML',
    },
    load: async () => showOpenApi,
  }),
];

/** Formats for people also print JSON. */
async function showOpenApi({ documented }: OpenApiInput): Promise<Result> {
  const { openApiDocument } = await import('../../../contract/openapi.ts');
  const value = openApiDocument(documented ? 'specification' : 'conventions');
  return { kind: 'document', text: `${JSON.stringify(value, null, 2)}\n`, value, verbatim: true };
}
