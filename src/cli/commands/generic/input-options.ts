import { shownForms } from '../../../base/shown-form.ts';
import { hyphenated } from '../../../base/wording.ts';
import type { Does } from '../../../contract/capabilities.ts';
import { isSecretField, type OptionField, optionFields } from '../../../contract/schema.ts';
import type { SchemaNode } from '../../../contract/schema-node.ts';
import type { LineOption, Operation, Resource } from '../../../contract/types.ts';
import type { OptionSpec, OptionSpecs, ParsedInput } from '../../command/command.ts';
import { globalOptions } from '../global-options.ts';
import { allowFilesOption } from '../manifest-options.ts';

const globalFlags: ReadonlySet<string> = new Set(Object.values(globalOptions).map(({ flag }) => flag));

/** Options of every command that takes a record, before those of its fields. */
const recordOptions = {
  files: {
    flag: 'file',
    short: 'f',
    value: 'FILE',
    repeat: true,
    doc: 'YAML, JSON or CSV (FILE.csv, a record a row); - is standard input, YAML or JSON',
    completes: 'file',
  },
  ...allowFilesOption,
  set: { flag: 'set', value: 'PATH=TEXT', repeat: true, doc: 'Set one field to text' },
  setJson: { flag: 'set-json', value: 'PATH=JSON', repeat: true, doc: 'Set one field to a JSON value' },
  allowUnknownFields: {
    flag: 'allow-unknown-fields',
    doc: 'Send fields that are not in the specification, with a warning',
  },
  noResolve: {
    flag: 'no-resolve',
    doc: 'Send names of other records as they stand, where their ids are expected',
  },
  strictInput: {
    flag: 'strict-input',
    doc: 'Treat what KAZOO-compatible services refuse as an error, not as a warning',
  },
} as const satisfies OptionSpecs;
const recordFlags: ReadonlySet<string> = new Set(Object.values(recordOptions).map(({ flag }) => flag));

/** The flag of a field: `--first-name`; `--webhook-retries` where the short one means something else. */
export const flagOf = (resource: Resource, { flag }: OptionField): string =>
  globalFlags.has(flag) || recordFlags.has(flag) ? `${hyphenated(resource.singular)}-${flag}` : flag;

export function fieldOptions(resource: Resource): OptionSpecs {
  return Object.fromEntries(
    optionFields(resource).map((each): [string, OptionSpec] => {
      const { field, type, doc, choices, suggestions, ref, form } = each;
      const words = choices ?? suggestions;
      return [
        field,
        {
          flag: flagOf(resource, each),
          value: form ? shownForms[form] : words ? wordsInHelp(field, words) : valueNames[type],
          type: form ? 'string' : type,
          ...(choices ? { choices } : {}),
          ...(suggestions ? { suggestions } : {}),
          doc,
          ...doesOfField(resource, field),
          ...(globalFlags.has(each.flag) ? { beside: { flag: each.flag, whose: resource.singular } } : {}),
          ...(ref ? { completes: { resource: ref } } : {}),
        },
      ];
    }),
  );
}

/** Key of the input that holds the line of an option. */
export const lineKey = ({ flag }: Pick<LineOption, 'flag'>): string =>
  `lineOf${flag.charAt(0).toUpperCase()}${flag.slice(1)}`;

const lineOptions = ({ lines = [] }: Resource): OptionSpecs =>
  Object.fromEntries(
    lines.map((line) => [lineKey(line), { flag: line.flag, value: line.value, doc: line.doc }]),
  );

/** Says what a command does with the option of a field, as the field says it. */
function doesOfField(
  { schema }: Resource,
  field: string,
  ...more: readonly Does[]
): Pick<OptionSpec, 'does'> {
  const word = schema.properties?.[field]?.['x-does'];
  const does = word === undefined ? more : [...more, word];
  return does.length === 0 ? {} : { does };
}

/** Longest list of words in help; a longer one would push the whole page to the right. */
const longestWords = 24;

/** `user|admin`, or the field's name where the words are many. */
function wordsInHelp(field: string, words: readonly string[]): string {
  const all = words.join('|');
  return all.length <= longestWords ? all : field.toUpperCase();
}

const valueNames = { string: 'TEXT', integer: 'N', number: 'N', boolean: 'true|false' } as const;

export const inputOptions = (resource: Resource): OptionSpecs => ({
  ...recordOptions,
  ...fieldOptions(resource),
  ...lineOptions(resource),
  ...secretOptions(resource),
});

/** The texts of an option that may be given several times. */
export const typedTexts = (value: ParsedInput[string]): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [];

/** The input of an operation, as a resource to read input by: its own body, or the resource's fields. */
export const bodyResource = (resource: Resource, { body }: Operation): Resource => ({
  ...resource,
  ...(body?.kind === 'value' ? { schema: body.schema } : {}),
  required: [],
});

/** Options that give an operation's body: files, `--set`, and fields with an option of their own. */
export const bodyOptions = (resource: Resource, operation: Operation): OptionSpecs =>
  inputOptions(bodyResource(resource, operation));

/** Top-level secret fields that hold text: a user's password, an application's secret. */
export function secretFields({ schema }: Resource): readonly string[] {
  const { properties = {} }: SchemaNode = schema;
  return Object.entries(properties).flatMap(([field, node]) =>
    isSecretField(node) && node.type === 'string' ? [field] : [],
  );
}

/** The flag that a field's options begin with. */
export const secretFlag = (field: string): string => field.replaceAll('_', '-');

/** Key of the input under which a secret stands that was asked for: no option leads there. */
export const askedSecret = (field: string): string => `${field}Asked`;

/** Ways to give a resource's secrets that leave no trace in the list of processes. */
function secretOptions(resource: Resource): OptionSpecs {
  return Object.fromEntries(
    secretFields(resource).flatMap((field) => [
      [
        `${field}Stdin`,
        {
          flag: `${secretFlag(field)}-stdin`,
          doc: `Read the ${field} from standard input`,
          excludes: [`${secretFlag(field)}-file`],
          ...doesOfField(resource, field),
        },
      ],
      [
        `${field}File`,
        {
          flag: `${secretFlag(field)}-file`,
          value: 'FILE',
          doc: `Read the ${field} from a file`,
          completes: 'file' as const,
          ...doesOfField(resource, field, 'reads-files'),
        },
      ],
    ]),
  );
}
