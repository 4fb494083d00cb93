import { openApiDocument } from '../../../contract/openapi.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Result } from '../../command/result.ts';

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
  const value = openApiDocument(documented ? 'specification' : 'conventions');
  return { kind: 'document', text: `${JSON.stringify(value, null, 2)}\n`, value, verbatim: true };
}
