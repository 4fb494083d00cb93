import { shownForms } from '../../../base/shown-form.ts';
import { hyphenate } from '../../../base/wording.ts';
import type { Does } from '../../../contract/capabilities.ts';
import { isSecretField, type OptionField, optionFields } from '../../../contract/schema.ts';
import type { SchemaNode } from '../../../contract/schema-node.ts';
import type { LineOption, Operation, Resource } from '../../../contract/types.ts';
import type { OptionSpec, OptionSpecs, ParsedInput } from '../../command/command.ts';
import { globalOptions } from '../global-options.ts';
import { allowFilesOption } from '../manifest-options.ts';

const globalFlags: ReadonlySet<string> = new Set(Object.values(globalOptions).map(({ flag }) => flag));

const recordOptions = {
  files: {
    flag: 'file',
    short: 'f',
    value: 'FILE',
    repeat: true,
    doc: 'YAML, JSON or CSV file (one record per row in FILE.csv), or - for YAML or JSON on standard input',
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
    doc: 'Send names of other records unchanged instead of resolving them to ids',
  },
  strictInput: {
    flag: 'strict-input',
    doc: 'Fail instead of warning about values that KAZOO-compatible services refuse',
  },
} as const satisfies OptionSpecs;
const recordFlags: ReadonlySet<string> = new Set(Object.values(recordOptions).map(({ flag }) => flag));

/** Returns the flag of a field, such as `--first-name`, or `--webhook-retries` if the short name is taken. */
export const fieldFlag = (resource: Resource, { flag }: OptionField): string =>
  globalFlags.has(flag) || recordFlags.has(flag) ? `${hyphenate(resource.singular)}-${flag}` : flag;

export function fieldOptions(resource: Resource): OptionSpecs {
  return Object.fromEntries(
    optionFields(resource).map((each): [string, OptionSpec] => {
      const { field, type, doc, choices, suggestions, ref, form } = each;
      const words = choices ?? suggestions;
      return [
        field,
        {
          flag: fieldFlag(resource, each),
          value: form ? shownForms[form] : words ? choicesInHelp(field, words) : valueNames[type],
          type: form ? 'string' : type,
          ...(choices ? { choices } : {}),
          ...(suggestions ? { suggestions } : {}),
          doc,
          ...fieldEffects(resource, field),
          ...(globalFlags.has(each.flag) ? { beside: { flag: each.flag, whose: resource.singular } } : {}),
          ...(ref ? { completes: { resource: ref } } : {}),
        },
      ];
    }),
  );
}

/** Returns the input key of an option's line. */
export const lineKey = ({ flag }: Pick<LineOption, 'flag'>): string =>
  `lineOf${flag.charAt(0).toUpperCase()}${flag.slice(1)}`;

const lineOptions = ({ lines = [] }: Resource): OptionSpecs =>
  Object.fromEntries(
    lines.map((line) => [lineKey(line), { flag: line.flag, value: line.value, doc: line.doc }]),
  );

function fieldEffects(
  { schema }: Resource,
  field: string,
  ...more: readonly Does[]
): Pick<OptionSpec, 'does'> {
  const word = schema.properties?.[field]?.['x-does'];
  const does = word === undefined ? more : [...more, word];
  return does.length === 0 ? {} : { does };
}

/** A longer list of choices would widen the first column of the whole help page. */
const maxChoicesLength = 24;

function choicesInHelp(field: string, words: readonly string[]): string {
  const all = words.join('|');
  return all.length <= maxChoicesLength ? all : field.toUpperCase();
}

const valueNames = { string: 'TEXT', integer: 'N', number: 'N', boolean: 'true|false' } as const;

export const inputOptions = (resource: Resource): OptionSpecs => ({
  ...recordOptions,
  ...fieldOptions(resource),
  ...lineOptions(resource),
  ...secretOptions(resource),
});

export const optionTexts = (value: ParsedInput[string]): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [];

/** Returns a resource that describes the input of an operation: its body, or the fields of its resource. */
export const bodyResource = (resource: Resource, { body }: Operation): Resource => ({
  ...resource,
  ...(body?.kind === 'value' ? { schema: body.schema } : {}),
  required: [],
});

/** Returns the options that build the body of an operation: files, `--set`, and options of fields. */
export const bodyOptions = (resource: Resource, operation: Operation): OptionSpecs =>
  inputOptions(bodyResource(resource, operation));

/** Returns the top-level secret text fields, such as the password of a user or the secret of an application. */
export function secretFields({ schema }: Resource): readonly string[] {
  const { properties = {} }: SchemaNode = schema;
  return Object.entries(properties).flatMap(([field, node]) =>
    isSecretField(node) && node.type === 'string' ? [field] : [],
  );
}

export const secretFlag = (field: string): string => field.replaceAll('_', '-');

/** Returns the input key for a secret that was typed at a prompt. It has no option. */
export const askedSecretKey = (field: string): string => `${field}Asked`;

/** Secrets in files, so that they do not appear in the list of processes. */
function secretOptions(resource: Resource): OptionSpecs {
  return Object.fromEntries(
    secretFields(resource).flatMap((field) => [
      [
        `${field}Stdin`,
        {
          flag: `${secretFlag(field)}-stdin`,
          doc: `Read the ${field} from standard input`,
          excludes: [`${secretFlag(field)}-file`],
          ...fieldEffects(resource, field),
        },
      ],
      [
        `${field}File`,
        {
          flag: `${secretFlag(field)}-file`,
          value: 'FILE',
          doc: `Read the ${field} from a file`,
          completes: 'file' as const,
          ...fieldEffects(resource, field, 'reads-files'),
        },
      ],
    ]),
  );
}
