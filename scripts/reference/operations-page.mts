import type { Command } from '../../src/cli/command/command.ts';
import { resources } from '../../src/contract/catalogue.ts';
import { commandWordsOf } from '../../src/contract/resource.ts';
import { findChildNode, type SchemaNode } from '../../src/contract/schema-node.ts';
import type { Operation, Resource } from '../../src/contract/types.ts';

const preface = `# Operations

Every operation of the service that telctl knows, one page per resource. \`npm run generate\` writes them from the contract in \`src/contract/resources\`. \`schemas/openapi.json\` has the same operations for programs, and \`telctl explain\` describes fields.

| Column | Meaning |
|---|---|
| Command | Commands that send it. \`telctl api\` can send all of them. |
| Source | Chapter of the specification, or *convention* of compatible services |
| Support | Level that the specification gives to the fields of the request |
| Test | Its own test, or \`test/conformance/operations.test.ts\`, which tries all operations |
`;

const marked = (text: string): string => `\`${text}\``;

function requestOf({ method, path, prefix, body, query = [] }: Operation): string {
  const required = query.filter((parameter) => parameter.required).map(({ name }) => `${name}=`);
  const address = `${prefix === 'always' ? '/v2' : ''}${path}${required.length > 0 ? `?${required.join('&')}` : ''}`;
  return `${marked(`${method} ${address}`)}${body?.kind === 'action' ? ` ${marked(body.action)}` : ''}`;
}

/** The maximum number of commands named per operation. Lookups of names have dozens. */
const mostCommands = 5;

function commandsOf({ id }: Operation, commands: readonly Command[]): string {
  // Commands with few other operations come first.
  const callers = commands
    .filter(({ operations }) => operations?.includes(id))
    .toSorted((one, other) => (one.operations?.length ?? 0) - (other.operations?.length ?? 0));
  if (callers.length === 0) return marked('telctl api');
  const named = callers.slice(0, mostCommands).map(({ path }) => marked(`telctl ${path.join(' ')}`));
  const left = callers.length - named.length;
  return `${named.join(', ')}${left > 0 ? ` and ${left} others` : ''}`;
}

/** Returns the support levels of a request body: the common level, or the fields in beta. */
function describeSupport({ body }: Operation, { schema }: Resource): string {
  if (body === undefined || body.kind === 'action') return '–';
  const sent: SchemaNode = body.kind === 'value' ? body.schema : schema;
  const fields = Object.keys(sent.properties ?? {});
  const level = (field: string) => findChildNode(sent, sent, field)?.['x-support'];
  const beta = fields.filter((field) => level(field) === 'beta');
  if (beta.length > 0) return `supported; beta: ${beta.map(marked).join(', ')}`;
  return fields.some((field) => level(field) === 'supported') ? 'supported' : '–';
}

const sourceOf = ({ source, section }: Operation): string =>
  source === 'specification' ? section : `*convention*: ${section.replace(/^Conventions, /, '')}`;

function testOf({ id }: Operation, tests: ReadonlyMap<string, string>): string {
  const test = tests.get(id);
  return test === undefined
    ? '–'
    : `[${test.replace(/^.*\//, '').replace(/\.test\.ts$/, '')}](../../${test})`;
}

/** Returns the words of a resource in commands, such as `vmboxes messages`. */
const wordsOf = (resource: Resource): string => commandWordsOf(resource).join(' ');

const fileName = (resource: Resource): string => `${wordsOf(resource).replaceAll(' ', '-')}.md`;

/** Returns the path of the page of a resource, which is named like its commands. */
export const referencePath = (resource: Resource): string => `docs/reference/${fileName(resource)}`;

const head = '| Operation | Request | Command | Source | Support | Test |\n|---|---|---|---|---|---|';

/** Returns the page of each resource by path, and their index. `tests` maps operation ids to test files. */
export function operationsPages(
  commands: readonly Command[],
  tests: ReadonlyMap<string, string>,
): readonly (readonly [path: string, text: string])[] {
  const shown = resources.filter(({ operations }) => operations.length > 0);
  const listed = shown.map(
    (resource) =>
      `| [${wordsOf(resource)}](${fileName(resource)}) | ${resource.summary} | ${resource.operations.length} |`,
  );
  const index = `${preface}\n| Resource | | Operations |\n|---|---|---|\n${listed.join('\n')}\n`;
  const pages = shown.map((resource) => {
    const rows = resource.operations.map((operation) =>
      [
        marked(operation.id),
        requestOf(operation),
        commandsOf(operation, commands),
        sourceOf(operation),
        describeSupport(operation, resource),
        testOf(operation, tests),
      ].join(' | '),
    );
    const table = `${head}\n${rows.map((row) => `| ${row} |`).join('\n')}`;
    const text = `# ${wordsOf(resource)}\n\n${resource.summary}. [Operations](README.md) explains the columns.\n\n${table}\n`;
    return [referencePath(resource), text] as const;
  });
  return [['docs/reference/README.md', index], ...pages];
}
