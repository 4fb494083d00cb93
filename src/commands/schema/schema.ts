import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Result } from '../../command/result.ts';
import { resourceByWord } from '../../contract/catalogue.ts';
import { jsonSchema } from '../../contract/json-schema.ts';
import type { SchemaInput } from './commands.ts';

/** Handler of `telctl schema`. The schema is JSON in every format made for people. */
export async function showSchema(input: SchemaInput): Promise<Result> {
  const value = await schemaOf(input);
  return { kind: 'document', text: `${JSON.stringify(value, null, 2)}\n`, value, verbatim: true };
}

async function schemaOf({ resource: word, conventions }: SchemaInput): Promise<JsonObject> {
  if (word === 'manifest')
    return (await import('../../manifest/desired/manifest-schema.ts')).manifestSchema();
  const resource = resourceByWord(word);
  if (resource === undefined) throw new Failure('usage', `There is no resource "${word}".`);
  return jsonSchema(resource, conventions ? 'conventions' : 'specification');
}
