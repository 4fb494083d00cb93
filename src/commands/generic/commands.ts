import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { ArgumentSpecs, Command, Example, OptionSpecs } from '../../command/command.ts';
import { accountParameter } from '../../contract/account-parameter.ts';
import { samples } from '../../contract/samples.ts';
import type { GenericVerb, Operation, Resource } from '../../contract/types.ts';
import { inputOptions } from './input-options.ts';

/** The words of a noun. */
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
  doc: 'Only records with this value; the key may be dotted',
} as const;

/**
 * The commands of a resource's six verbs, as far as the service has the operations. What they do is written once
 * and loaded when one of them runs.
 */
export function genericCommands(
  resource: Resource,
  path: NounPath,
  except: readonly GenericVerb[] = [],
): readonly Command[] {
  return verbs.flatMap((verb) => {
    const operation = resource.operations.find((each) => each.verb === verb);
    return operation && !except.includes(verb) ? [genericCommand(resource, path, verb, operation)] : [];
  });
}

function genericCommand(
  resource: Resource,
  path: NounPath,
  verb: GenericVerb,
  operation: Operation,
): Command {
  return {
    path: [...path, verb],
    summary: operation.summary,
    arguments: argumentsOf(resource, verb),
    // Made when asked for: they need the schema, which `get` and `list` do not.
    get options() {
      return optionsOf(resource, verb, operation);
    },
    effect: operation.effect,
    get examples() {
      return examplesOf(resource, path, verb);
    },
    operations: [operation.id],
    shows: resource.name,
    load: () => loadHandler(resource, verb),
  };
}

async function loadHandler(resource: Resource, verb: GenericVerb) {
  switch (verb) {
    case 'list':
      return (await import('./list.ts')).listHandler(resource);
    case 'get':
      return (await import('./list.ts')).getHandler(resource);
    case 'create':
      return (await import('./create.ts')).createHandler(resource);
    case 'update':
      return (await import('./update.ts')).updateHandler(resource);
    case 'patch':
      return (await import('./patch.ts')).patchHandler(resource);
    case 'delete':
      return (await import('./delete.ts')).deleteHandler(resource);
  }
}

function optionsOf(resource: Resource, verb: GenericVerb, operation: Operation): OptionSpecs {
  if (verb === 'list') return listOptions(operation);
  if (verb === 'create') return { ...inputOptions(resource), ...existingOption(resource) };
  if (verb === 'patch' && takesAll(resource)) return { ...inputOptions(resource), ...allOptions };
  if (verb === 'delete') return deleteOptions;
  return verb === 'update' || verb === 'patch' ? inputOptions(resource) : {};
}

const deleteOptions: OptionSpecs = {
  force: { flag: 'force', doc: 'Delete it without asking, even if other records refer to it' },
};

/** True when a patch can go to every record: there are many, and they can be listed and read. */
const takesAll = ({ kind, operations }: Resource): boolean =>
  kind === 'collection' &&
  (['list', 'get'] as const).every((needed) => operations.some(({ verb }) => verb === needed));

/** Returns the option for records that are there already; nothing for what cannot be listed. */
function existingOption({ name, operations }: Resource): OptionSpecs {
  const has = (verb: GenericVerb): boolean => operations.some((each) => each.verb === verb);
  if (!has('list') || !has('get')) return {};
  const choices = has('patch') ? ['fail', 'skip', 'update'] : ['fail', 'skip'];
  return {
    existing: {
      flag: 'existing',
      value: 'WORD',
      choices,
      doc: `What happens to ${name} that exist already: fail by default, ${choices.slice(1).join(' or ')}`,
    },
  };
}

const allOptions: OptionSpecs = {
  all: {
    flag: 'all',
    doc: 'Instead of ID: every one of the account, after a question that says what changes',
    excludes: ['ID'],
  },
  filters: { ...filters, doc: 'Only those with this value; the key may be dotted', needs: ['all'] },
};

/** Options of a list: filters, and what the operation takes in its query. */
const listOptions = ({ query = [] }: Operation): OptionSpecs => ({
  filters,
  ...Object.fromEntries(
    query
      // The account is what --account names, here as everywhere.
      .filter(({ name }) => name !== accountParameter)
      .map(({ name, doc }) => [name, { flag: name.replaceAll('_', '-'), value: 'TEXT', doc }]),
  ),
});

/** Says what may stand for ID, in words: `Its id, or its username`. */
export const alternatives = (words: readonly string[]): string =>
  words.length === 0 ? 'Its id' : `Its id, or its ${words.join(' or ').replaceAll('_', ' ')}`;

function argumentsOf(resource: Resource, verb: GenericVerb): ArgumentSpecs {
  if (verb === 'list' || verb === 'create' || resource.kind === 'singleton') return {};
  return {
    id: {
      name: 'ID',
      doc: alternatives(resource.naturalKeys),
      completes: { resource: resource.name },
      ...(verb === 'patch' && takesAll(resource) ? { optional: true } : {}),
    },
  };
}

function examplesOf(resource: Resource, path: NounPath, verb: GenericVerb): readonly Example[] {
  const words = ['telctl', ...path, verb].join(' ');
  const sample = samples[resource.name]?.named ?? (resource.naturalKeys.length > 0 ? 'NAME' : 'ID');
  const named = resource.kind === 'singleton' ? words : `${words} ${sample}`;
  switch (verb) {
    case 'list':
      return [
        { line: words, doc: `All ${resource.name}` },
        { line: `${words} -o json`, doc: 'For a script' },
      ];
    case 'get':
      return [{ line: `${named} -o yaml`, doc: `Everything about one ${resource.singular}` }];
    case 'create':
      return [{ line: `${words} -f ${resource.name}.yaml`, doc: 'From a file; a list creates many' }];
    case 'update':
      return [{ line: `${named} -f ${resource.singular}.yaml`, doc: 'Replace by what the file says' }];
    case 'patch':
      return [
        { line: `${named} -f change.yaml --dry-run`, doc: 'See what would change' },
        { line: `${named} ${exampleChange(resource)}`, doc: 'Change one field' },
        ...(takesAll(resource)
          ? [{ line: `${words} --all -f change.yaml`, doc: 'In every one of the account; asks first' }]
          : []),
      ];
    case 'delete':
      return [{ line: `${named} --yes`, doc: 'Without being asked' }];
  }
}

/** The change that the example of `patch` makes: flags where there are any, else the first field of the sample. */
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

/** Meanings of turning something on and off, one sentence each; a verb without one is described elsewhere. */
interface SwitchSummaries {
  readonly enable?: string;
  readonly disable?: string;
}

/** `enable ID` and `disable ID` of a resource that has the field `enabled`. */
export function switchCommands(
  resource: Resource,
  sample: string,
  summaries: SwitchSummaries,
): readonly Command[] {
  return (['enable', 'disable'] as const).flatMap((verb): readonly Command[] => {
    const summary = summaries[verb];
    return summary === undefined ? [] : [switchCommand(resource, sample, verb, summary)];
  });
}

const switchCommand = (
  resource: Resource,
  sample: string,
  verb: 'enable' | 'disable',
  summary: string,
): Command => ({
  path: [resource.name, verb],
  summary,
  arguments: {
    id: { name: 'ID', doc: alternatives(resource.naturalKeys), completes: { resource: resource.name } },
  },
  options: {},
  effect: 'write',
  examples: [{ line: `telctl ${resource.name} ${verb} ${sample}`, doc: summary }],
  operations: [`${resource.name}.patch`],
  load: async () => (await import('./patch.ts')).switchHandler(resource, verb === 'enable'),
});
