import type { Result } from '../../command/result.ts';
import { openApiDocument } from '../../contract/openapi.ts';
import type { OpenApiInput } from './commands.ts';

/** Handler of `telctl openapi`. The document is JSON in every format made for people. */
export async function showOpenApi({ documented }: OpenApiInput): Promise<Result> {
  const value = openApiDocument(documented ? 'specification' : 'conventions');
  return { kind: 'document', text: `${JSON.stringify(value, null, 2)}\n`, value, verbatim: true };
}
