import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { nearest } from '../../../base/nearest.ts';
import { didYouMean, hyphenated } from '../../../base/wording.ts';
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
    doc: 'The resource, such as users; or manifest, plan or cases, for configuration and calls as code',
    choices: [...resources.map(({ name }) => name), 'manifest', 'plan', 'cases'],
    optional: true,
    excludes: ['result'],
  },
} as const;

const schemaOptions = {
  result: {
    value: 'NOUN.VERB',
    doc: 'What a command gives with -o json instead, such as users.list',
    excludes: ['conventions'],
  },
  conventions: { doc: 'Add the rules of compatible services where the specification is silent' },
} as const;

type SchemaInput = InputOf<typeof schemaOptions, typeof schemaArguments>;

export const schemaCommands: readonly Command[] = [
  defineCommand({
    path: ['schema'],
    summary: 'Print the JSON Schema of a resource, of manifests, plans or cases of calls',
    description:
      'JSON Schema 2020-12, for editors and validators. By default it holds the rules of the specification alone, by which telctl itself refuses input. That of manifests knows the conventions, too, and takes a reference in place of any value. That of plans is what plan, diff and show give with -o json.',
    arguments: schemaArguments,
    options: schemaOptions,
    anyOf: [['RESOURCE', 'result']],
    effect: 'local',
    attended: false,
    examples: {
      'telctl schema users > users.schema.json': 'For an editor',
      'telctl schema callflows --conventions': 'As strict as the sandbox',
      'telctl schema manifest > manifest.schema.json': 'For files that apply takes',
      'telctl schema cases > cases.schema.json': 'For files that telctl test takes',
      'telctl schema --result users.list': 'What telctl users list -o json gives',
      'telctl schema plan > plan.schema.json': 'For a policy over plan -o json',
    },
    load: async () => showSchema,
  }),
];

/** Handler of `telctl schema`. The schema is JSON in every format made for people. */
async function showSchema(input: SchemaInput): Promise<Result> {
  const value = await schemaOf(input);
  return { kind: 'document', text: `${JSON.stringify(value, null, 2)}\n`, value, verbatim: true };
}

async function schemaOf({ resource: word = '', result, conventions }: SchemaInput): Promise<JsonObject> {
  if (result !== undefined) return resultOf(result);
  if (word === 'manifest')
    return (await import('../../../engine/manifest/manifest-schema.ts')).manifestSchema();
  if (word === 'cases') return requirePart('casesSchema', 'schema cases')();
  if (word === 'plan') return (await import('../../../engine/manifest/plan-schema.ts')).planSchema();
  const resource = resourceByWord(word);
  if (resource === undefined) throw new Failure('usage', `There is no resource "${word}".`);
  return jsonSchema(resource, conventions ? 'conventions' : 'specification');
}

/** The word of an operation on the command line: `users.list`, `temporal-rules.list`, `sso.apps.list`. */
const wordOf = ({ resource, verb }: Operation): string =>
  [...commandWordsOf(resourceByName(resource)), hyphenated(verb)].join('.');

async function resultOf(word: string): Promise<JsonObject> {
  const { hasResult, resultSchema } = await import('../../../contract/result-schema.ts');
  const wanted = word.trim().replaceAll(/[\s.]+/g, '.');
  const operation = operations.find((each) => each.id === wanted || wordOf(each) === wanted);
  if (operation === undefined)
    throw new Failure(
      'usage',
      `"${word}" is no command that stands for one operation of the service, such as users.list.${didYouMean(nearest(wanted, operations.map(wordOf)))}`,
    );
  if (!hasResult(operation))
    throw new Failure(
      'usage',
      `${wordOf(operation)} gives ${operation.reply.kind === 'file' ? 'a file' : 'nothing'}, which has no schema.`,
    );
  return resultSchema(operation);
}

const openApiOptions = {
  documented: {
    doc: 'Only what the specification documents: without the operations, fields and rules of compatible services',
  },
} as const;

type OpenApiInput = InputOf<typeof openApiOptions>;

export const openApiCommands: readonly Command[] = [
  defineCommand({
    path: ['openapi'],
    summary: 'Print the service as an OpenAPI document',
    description:
      'OpenAPI 3.1, as JSON: every operation with its parameters, bodies, replies and errors. What compatible services add to the specification is marked by x-source and x-conventions.',
    arguments: {},
    options: openApiOptions,
    effect: 'local',
    attended: false,
    examples: {
      'telctl openapi > openapi.json': 'For generators and API browsers',
      'telctl openapi --documented -o yaml': 'The bare specification, as YAML',
    },
    load: async () => showOpenApi,
  }),
];

/** Handler of `telctl openapi`. The document is JSON in every format made for people. */
async function showOpenApi({ documented }: OpenApiInput): Promise<Result> {
  const { openApiDocument } = await import('../../../contract/openapi.ts');
  const value = openApiDocument(documented ? 'specification' : 'conventions');
  return { kind: 'document', text: `${JSON.stringify(value, null, 2)}\n`, value, verbatim: true };
}
