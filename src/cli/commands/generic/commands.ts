import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { hyphenate, withArticle } from '../../../base/wording.ts';
import { holdsRights } from '../../../contract/guards.ts';
import { accountParameter, commandWordsOf, operationOfVerb, pluralIn } from '../../../contract/resource.ts';
import { resourceNouns } from '../../../contract/resource-nouns.ts';
import { samples } from '../../../contract/samples.ts';
import type { GenericVerb, Operation, Resource } from '../../../contract/types.ts';
import {
  type ArgumentSpecs,
  type Command,
  completeOptions,
  type Example,
  type WrittenOptions,
} from '../../command/command.ts';
import { inputOptions } from './input-options.ts';

export type NounPath = readonly [string, ...string[]];

const verbs = [
  'list',
  'get',
  'create',
  'update',
  'patch',
  'delete',
] as const satisfies readonly GenericVerb[];

const filters = {
  flag: 'filter',
  value: 'KEY=VALUE',
  repeat: true,
  doc: 'Only records with this value, with a key such as a.b for nested fields',
} as const;

/** Returns the generic commands for the existing operations. Their handlers are loaded when needed. */
export function genericCommands(
  resource: Resource,
  path: NounPath,
  except: readonly GenericVerb[] = [],
): readonly Command[] {
  return verbs.flatMap((verb) => {
    const operation = operationOfVerb(resource, verb);
    if (!operation || except.includes(verb)) return [];
    const command = genericCommand(resource, path, verb, operation);
    return verb === 'delete' ? [...editCommand(resource, path), command] : [command];
  });
}

function editCommand(resource: Resource, path: NounPath): readonly Command[] {
  const { name, singular, operations } = resource;
  const change =
    operations.find(({ verb }) => verb === 'patch') ?? operations.find(({ verb }) => verb === 'update');
  if (!change || !operations.some(({ verb }) => verb === 'get')) return [];
  const words = ['telctl', ...path, 'edit'].join(' ');
  const sample = samples[name]?.named ?? (resource.naturalKeys.length > 0 ? 'NAME' : 'ID');
  const isOne = resource.kind === 'singleton';
  return [
    {
      path: [...path, 'edit'],
      does: ['starts-programs'],
      summary: `Change ${withArticle(singular)} in your editor`,
      description:
        'Opens the record as YAML in the editor that VISUAL or EDITOR names. Checks and shows the changed fields, asks, and sends only those fields. Keeps the file if the change is refused.',
      arguments: argumentsOf(resource, 'patch', false),
      get options() {
        const { allowUnknownFields, strictInput } = inputOptions(resource);
        return {
          ...(allowUnknownFields ? { allowUnknownFields } : {}),
          ...(strictInput ? { strictInput } : {}),
        };
      },
      effect: change.effect,
      examples: [{ line: isOne ? words : `${words} ${sample}`, doc: 'Open the editor' }],
      // Only records that can be read can be edited.
      operations: [`${name}.get`, change.id],
      shows: name,
      load: async () => (await import('./edit.ts')).editHandler(resource),
    },
  ];
}

function genericCommand(
  resource: Resource,
  path: NounPath,
  verb: GenericVerb,
  operation: Operation,
): Command {
  const named = argumentsOf(resource, verb);
  let options: Command['options'] | undefined;
  return {
    path: [...path, verb],
    summary:
      verb === 'patch' && operation.verb !== verb
        ? `Change fields of ${withArticle(resource.singular)}`
        : operation.summary,
    arguments: named,
    ...(named.id?.optional ? { anyOf: [[named.id.name, 'all', 'file']] } : {}),
    // Built on demand, because they need the schema, which `get` and `list` do not.
    get options() {
      options ??= completeOptions(optionsOf(resource, verb, operation));
      return options;
    },
    effect: operation.effect,
    get examples() {
      return examplesOf(resource, path, verb);
    },
    operations: [operation.id],
    shows: resource.name,
    load: () => handlers[verb](resource),
  };
}

const handlers = {
  list: async (resource) => (await import('./list.ts')).listHandler(resource),
  get: async (resource) => (await import('./list.ts')).getHandler(resource),
  create: async (resource) => (await import('./create.ts')).createHandler(resource),
  update: async (resource) => (await import('./update.ts')).updateHandler(resource),
  patch: async (resource) => (await import('./update.ts')).patchHandler(resource),
  delete: async (resource) => (await import('./delete.ts')).deleteHandler(resource),
} as const satisfies Record<GenericVerb, (resource: Resource) => ReturnType<Command['load']>>;

function optionsOf(resource: Resource, verb: GenericVerb, operation: Operation): WrittenOptions {
  if (verb === 'list') return listOptions(operation);
  if (verb === 'create') return { ...inputOptions(resource), ...existingOption(resource) };
  const confirm = confirmOption(resource);
  if (verb === 'patch' && canPatchAll(resource))
    return { ...inputOptions(resource), ...allOptions, ...confirm };
  if (verb === 'delete') return { ...deleteOptions, ...confirm };
  return verb === 'update' || verb === 'patch' ? { ...inputOptions(resource), ...confirm } : {};
}

/** Confirms a change of the last administrator, or of the current user. */
const confirmOption = (resource: Resource): WrittenOptions =>
  holdsRights(resource)
    ? {
        confirm: {
          value: 'USERNAME',
          doc: 'Confirm a change that removes the rights of the last administrator or of yourself',
        },
      }
    : {};

const deleteOptions: WrittenOptions = {
  force: { doc: 'Delete it without asking, even if other records refer to it' },
};

/** Returns true if a patch can change all records: there are many, and they can be listed and read. */
const canPatchAll = ({ kind, operations }: Resource): boolean =>
  kind === 'collection' &&
  (['list', 'get'] as const).every((needed) => operations.some(({ verb }) => verb === needed));

function existingOption(resource: Resource): WrittenOptions {
  const has = (verb: GenericVerb): boolean => operationOfVerb(resource, verb) !== undefined;
  if (!has('list') || !has('get')) return {};
  const choices = has('patch') ? ['fail', 'skip', 'update'] : ['fail', 'skip'];
  return {
    existing: {
      value: 'WORD',
      choices,
      doc: `What to do with existing ${pluralIn(resource)}: ${choices.join(' or ')} (default: fail)`,
    },
  };
}

const allOptions: WrittenOptions = {
  all: {
    doc: 'Change all records of the account instead of ID, after showing the changes and asking',
    excludes: ['ID'],
  },
  filters: {
    ...filters,
    doc: 'Only records with this value, with a key such as a.b for nested fields',
    needs: ['all'],
  },
};

export const sortOptions = {
  sort: { value: 'FIELD', doc: 'Sort by this field, or by FIELD:desc in descending order' },
  limit: { value: 'N', type: 'integer', minimum: 0, doc: 'Show at most this many, or all for 0' },
} as const;

const listOptions = ({ query = [] }: Operation): WrittenOptions => ({
  filters,
  search: { value: 'TEXT', doc: 'Only records with this text in any listed field' },
  ...sortOptions,
  ...Object.fromEntries(
    query
      // The global options --account and --country set the account and the country.
      .filter(({ name }) => name !== accountParameter && name !== 'country')
      .map(({ name, doc }) => [name, { flag: name.replaceAll('_', '-'), value: 'TEXT', doc }]),
  ),
});

/** `Its id, or its username`. */
export const describeNames = (words: readonly string[]): string =>
  words.length === 0 ? 'Its id' : `Its id, or its ${words.join(' or ').replaceAll('_', ' ')}`;

export const argumentFor = ({ naturalKeys, name: resource }: Resource, name = 'ID') => ({
  name,
  doc: describeNames(naturalKeys),
  completes: { resource },
});

function argumentsOf(resource: Resource, verb: GenericVerb, mayBeAll = true): ArgumentSpecs {
  if (verb === 'list' || verb === 'create' || resource.kind === 'singleton') return {};
  const owner = resourceNouns.find(({ name }) => name === resource.oneOfEach);
  if (owner) {
    const doc = `Id or name of the ${owner.singular}`;
    return { id: { name: owner.singular.toUpperCase(), doc, completes: { resource: owner.name } } };
  }
  const isOptional = mayBeAll && verb === 'patch' && canPatchAll(resource);
  return { id: { ...argumentFor(resource), ...(isOptional ? { optional: true } : {}) } };
}

function examplesOf(resource: Resource, path: NounPath, verb: GenericVerb): readonly Example[] {
  const words = ['telctl', ...path, verb].join(' ');
  const sample = samples[resource.name]?.named ?? (resource.naturalKeys.length > 0 ? 'NAME' : 'ID');
  const named = resource.kind === 'singleton' ? words : `${words} ${sample}`;
  switch (verb) {
    case 'list':
      return [
        { line: words, doc: `List all ${pluralIn(resource)}` },
        { line: `${words} -o json`, doc: 'List them in a script' },
      ];
    case 'get':
      return [{ line: `${named} -o yaml`, doc: `Show all fields of one ${resource.singular}` }];
    case 'create':
      return [
        ...[samples[resource.name]?.options ?? []].flat().map((options) => ({
          line: `${words} ${options}`,
          doc: 'Create one with options',
        })),
        { line: `${words} -f ${hyphenate(resource.name)}.yaml`, doc: 'Create one or many from a file' },
      ];
    case 'update':
      return [
        {
          line: `${named} -f ${hyphenate(resource.singular)}.yaml`,
          doc: 'Replace it with the content of the file',
        },
      ];
    case 'patch':
      return [
        { line: `${named} -f change.yaml --dry-run`, doc: 'Show what would change' },
        { line: `${named} ${exampleChange(resource)}`, doc: 'Change one field' },
        ...(canPatchAll(resource)
          ? [
              {
                line: `${words} --all -f change.yaml`,
                doc: 'Change all records of the account after a question',
              },
              {
                line: `${words} -f ${hyphenate(resource.name)}.csv`,
                doc: 'Patch one record per row, matched by the id column',
              },
            ]
          : []),
      ];
    case 'delete':
      return [{ line: `${named} --yes`, doc: 'Delete it without a question' }];
  }
}

function exampleChange({ name, schema }: Resource): string {
  if (Object.hasOwn(schema.properties ?? {}, 'flags')) return `--set-json flags='["vip"]'`;
  const [field, value] = firstField(samples[name]?.change ?? {});
  if (typeof value !== 'string') return `--set-json ${field}=${JSON.stringify(value)}`;
  return `--set ${field}=${/^[\w.+-]+$/.test(value) ? value : JSON.stringify(value)}`;
}

function firstField(change: JsonObject, above = ''): readonly [path: string, value: Json] {
  const [[key, value = null] = ['name', 'NAME']] = Object.entries(change);
  return isObject(value) ? firstField(value, `${above}${key}.`) : [`${above}${key}`, value];
}

/** Returns `enable ID`, `disable ID` and `reset ID`, if they have a summary, for records with `enabled`. */
export const switchCommands = (
  resource: Resource,
  sample: string,
  summaries: Partial<Readonly<Record<'enable' | 'disable' | 'reset', string>>>,
): readonly Command[] =>
  (['enable', 'disable', 'reset'] as const).flatMap((verb): readonly Command[] => {
    const { [verb]: summary } = summaries;
    if (summary === undefined) return [];
    const { id } = argumentsOf(resource, 'get');
    return [
      {
        path: [...commandWordsOf(resource), verb],
        summary,
        arguments: id ? { id } : {},
        options: completeOptions(verb === 'disable' ? confirmOption(resource) : {}),
        effect: 'write',
        examples: [{ line: `telctl ${commandWordsOf(resource).join(' ')} ${verb} ${sample}`, doc: summary }],
        operations: [`${resource.name}.patch`],
        load: async () => (await import('./update.ts')).switchHandler(resource, verb),
      },
    ];
  });
