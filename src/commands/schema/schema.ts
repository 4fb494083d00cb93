import { resourceByWord } from '../../contract/catalogue.ts';
import { Failure } from '../../contract/failure.ts';
import { jsonSchema } from '../../contract/publish/json-schema.ts';
import type { Result } from '../../terminal/result.ts';
import type { SchemaInput } from './commands.ts';

/** Handler of `telctl schema`. The schema is JSON in every format made for people. */
export async function showSchema(input: SchemaInput): Promise<Result> {
  const resource = resourceByWord(input.resource);
  if (resource === undefined) throw new Failure('usage', `There is no resource "${input.resource}".`);
  const value = jsonSchema(resource, input.conventions ? 'conventions' : 'specification');
  return { kind: 'text', text: `${JSON.stringify(value, null, 2)}\n`, value, verbatim: true };
}
