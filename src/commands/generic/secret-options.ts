import type { OptionSpecs } from '../../command/command.ts';
import { isSecretField } from '../../contract/schema.ts';
import type { SchemaNode } from '../../contract/schema-node.ts';
import type { Resource } from '../../contract/types.ts';

/** Top-level secret fields that hold text: a user's password, an application's secret. */
export function secretFields({ schema }: Resource): readonly string[] {
  const { properties = {} }: SchemaNode = schema;
  return Object.entries(properties).flatMap(([field, node]) =>
    isSecretField(node) && node.type === 'string' ? [field] : [],
  );
}

/** The flag that a field's options begin with. */
export const secretFlag = (field: string): string => field.replaceAll('_', '-');

/** Ways to give a resource's secrets that leave no trace in the list of processes. */
export function secretOptions(resource: Resource): OptionSpecs {
  return Object.fromEntries(
    secretFields(resource).flatMap((field) => [
      [
        `${field}Stdin`,
        {
          flag: `${secretFlag(field)}-stdin`,
          doc: `Read the ${field} from standard input`,
          excludes: [`${secretFlag(field)}-file`],
        },
      ],
      [
        `${field}File`,
        {
          flag: `${secretFlag(field)}-file`,
          value: 'FILE',
          doc: `Read the ${field} from a file`,
          completes: 'file' as const,
        },
      ],
    ]),
  );
}
