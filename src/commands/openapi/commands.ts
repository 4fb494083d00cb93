import { type Command, defineCommand, type InputOf } from '../../command/command.ts';

const openApiOptions = {
  documented: {
    flag: 'documented',
    doc: 'Only what the specification documents: without the operations, fields and rules of compatible services',
  },
} as const;

export type OpenApiInput = InputOf<typeof openApiOptions>;

/** `telctl openapi`. */
export const openApiCommands: readonly Command[] = [
  defineCommand({
    path: ['openapi'],
    summary: 'Print the service as an OpenAPI document',
    description:
      'OpenAPI 3.1, as JSON: every operation with its parameters, bodies, replies and errors. What compatible services add to the specification is marked by x-source and x-conventions.',
    arguments: {},
    options: openApiOptions,
    effect: 'local',
    examples: [
      { line: 'telctl openapi > openapi.json', doc: 'For generators and API browsers' },
      { line: 'telctl openapi --documented -o yaml', doc: 'The bare specification, as YAML' },
    ],
    load: async () => (await import('./openapi.ts')).showOpenApi,
  }),
];
