import type { OptionSpec, OptionSpecs } from '../../command/command.ts';
import { type OptionField, optionFields } from '../../contract/schema.ts';
import type { Resource } from '../../contract/types.ts';

/** Flags of global options, which a field of the same name must leave alone. */
const taken = new Set([
  ...['profile', 'base-url', 'account', 'output', 'fields', 'query', 'reveal', 'no-input', 'yes', 'dry-run'],
  ...[
    'timeout',
    'retries',
    'concurrency',
    'ca-file',
    'client-cert',
    'client-key',
    'insecure',
    'allow-http',
    'quiet',
    'verbose',
    'color',
  ],
  ...['help', 'version', 'set', 'set-json', 'allow-unknown-fields', 'strict-input', 'file', 'filter'],
]);

/** The flag of a field: `--first-name`; `--webhook-retries` where the short one means something else. */
export const flagOf = (resource: Resource, { flag }: OptionField): string =>
  taken.has(flag) ? `${resource.singular}-${flag}` : flag;

/** Options for the common fields of a resource. */
export function fieldOptions(resource: Resource): OptionSpecs {
  return Object.fromEntries(
    optionFields(resource).map((each): [string, OptionSpec] => {
      const { field, type, doc, choices, suggestions, ref } = each;
      const words = choices ?? suggestions;
      return [
        field,
        {
          flag: flagOf(resource, each),
          value: words ? wordsInHelp(field, words) : valueNames[type],
          type,
          ...(choices ? { choices } : {}),
          ...(suggestions ? { suggestions } : {}),
          doc,
          ...(ref ? { completes: { resource: ref } } : {}),
        },
      ];
    }),
  );
}

/** Longer than this, words would push all of a help page to its right. */
const longestWords = 24;

/** `user|admin`, or the field's name where the words are many. */
function wordsInHelp(field: string, words: readonly string[]): string {
  const all = words.join('|');
  return all.length <= longestWords ? all : field.toUpperCase();
}

const valueNames = { string: 'TEXT', integer: 'N', number: 'N', boolean: 'true|false' } as const;
