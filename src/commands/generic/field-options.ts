import type { OptionSpec, OptionSpecs } from '../../cli/command.ts';
import { type OptionField, optionFields } from '../../contract/schema.ts';
import type { Resource } from '../../contract/types.ts';

/** Flags of global options, which a field of the same name must leave alone. */
const taken = new Set([
  ...['profile', 'base-url', 'account', 'output', 'fields', 'query', 'reveal', 'no-input', 'yes', 'dry-run'],
  ...['timeout', 'retries', 'concurrency', 'ca-file', 'insecure', 'allow-http', 'quiet', 'verbose', 'color'],
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
          value: type === 'boolean' ? 'true|false' : (words?.join('|') ?? valueNames[type]),
          type,
          ...(choices ? { choices } : {}),
          doc,
          ...(ref ? { completes: { resource: ref } } : {}),
        },
      ];
    }),
  );
}

const valueNames = { string: 'TEXT', integer: 'N', number: 'N', boolean: 'true|false' } as const;
