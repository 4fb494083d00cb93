import { type Command, defineCommand, type InputOf } from '../../cli/command.ts';
import { resources } from '../../contract/catalogue.ts';

const schemaArguments = {
  resource: {
    name: 'RESOURCE',
    doc: 'The resource, such as users',
    choices: resources.map(({ name }) => name),
  },
} as const;

const schemaOptions = {
  conventions: {
    flag: 'conventions',
    doc: 'Add the rules of compatible services where the specification is silent',
  },
} as const;

export type SchemaInput = InputOf<typeof schemaOptions, typeof schemaArguments>;

/** `telctl schema`. */
export const schemaCommands: readonly Command[] = [
  defineCommand({
    path: ['schema'],
    summary: 'Print the JSON Schema of a resource',
    description:
      'JSON Schema 2020-12, for editors and validators. By default it holds the rules of the specification alone, by which telctl itself refuses input.',
    arguments: schemaArguments,
    options: schemaOptions,
    effect: 'local',
    examples: [
      { line: 'telctl schema users > users.schema.json', doc: 'For an editor' },
      { line: 'telctl schema callflows --conventions', doc: 'As strict as the sandbox' },
    ],
    load: async () => (await import('./schema.ts')).showSchema,
  }),
];
