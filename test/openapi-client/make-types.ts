/**
 * Generates types of the OpenAPI documents with default settings. Also writes a file that only compiles if every
 * example request matches the type of its body and every response has `data`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

const here = import.meta.dirname;
const root = join(here, '../..');
const generated = join(here, 'generated');

interface Content {
  readonly 'application/json'?: { readonly examples?: Record<string, { readonly value: unknown }> };
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Record<string, { readonly content?: Content }>;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
}

const head = `type Empty<T> = [NonNullable<T>] extends [Record<string, never>] ? true : false;
/** A response with \`data\`. It may only be optional if its type is unknown or empty. */
type HasData<T extends { data?: unknown }> = T extends { data?: unknown }
  ? unknown extends T['data'] ? T : undefined extends T['data'] ? (Empty<T['data']> extends true ? T : never) : T
  : never;
const given = <T>(reply: [T] extends [never] ? 'data may be missing' : 'data is there') => reply;
`;

/** Returns one statement for each example request and for each JSON response. */
function statements({ paths }: Document): readonly string[] {
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ operationId }) => operationId !== undefined)
    .flatMap(({ operationId, requestBody, responses }) => {
      const operation = `operations[${JSON.stringify(operationId)}]`;
      const json = "['content']['application/json']";
      const bodies = Object.values(requestBody?.content['application/json']?.examples ?? {}).map(
        ({ value }) =>
          `(${JSON.stringify(value)}) satisfies NonNullable<${operation}['requestBody']>${json};`,
      );
      const replies = Object.entries(responses)
        .filter(([status, { content }]) => /^2/.test(status) && content?.['application/json'])
        .map(([status]) => `given<HasData<${operation}['responses'][${status}]${json}>>('data is there');`);
      return [...bodies, ...replies];
    });
}

async function make(name: string, text: string): Promise<void> {
  const document: Document = JSON.parse(text);
  const write = (file: string, content: string) => writeFileSync(join(generated, file), content);
  write(`${name}.ts`, astToString(await openapiTS(text)));
  write(
    `${name}-uses.ts`,
    [`import type { operations } from './${name}.ts';`, head, ...statements(document), ''].join('\n'),
  );
}

mkdirSync(generated, { recursive: true });
const documented = execFileSync(process.execPath, ['bin/telctl.js', 'openapi', '--documented'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
});
writeFileSync(join(generated, 'documented.json'), documented);
await make('documented', documented);
await make('service', readFileSync(join(root, 'schemas/openapi.json'), 'utf8'));
