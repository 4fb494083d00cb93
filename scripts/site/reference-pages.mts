import { existsSync, readFileSync } from 'node:fs';
import type { Command, OptionSpec } from '../../src/cli/command/command.ts';
import type { Noun } from '../../src/cli/commands/nouns.ts';
import { optionGroups } from '../../src/cli/shell/help/help-page.ts';
import { findChildNode, resolveReference, type SchemaNode } from '../../src/contract/schema-node.ts';
import type { Resource } from '../../src/contract/types.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const optionRow = ({ flag, short, value, doc, choices }: OptionSpec): string => {
  const names = [short ? `-${short}` : '', `--${flag}`].filter(Boolean).join(', ');
  const words = choices && value ? choices.join('\\|') : value;
  return `| \`${names}${words ? ` ${words.length > 40 ? value : words}` : ''}\` | ${cell(doc)} |`;
};

async function commandPart(command: Command): Promise<string> {
  const { path, summary, description, arguments: named, examples } = command;
  const words = Object.values(named).map(({ name, optional, rest }) => {
    const shown = rest ? `${name}...` : name;
    return optional ? `[${shown}]` : shown;
  });
  const options = (await optionGroups(command)).flatMap(([, specs]) => Object.values(specs));
  const args = Object.values(named).map(({ name, doc }) => `| \`${name}\` | ${cell(doc)} |`);
  const rows = [...args, ...options.map(optionRow)];
  return [
    `## telctl ${path.join(' ')}`,
    `${summary}.${description === undefined ? '' : ` ${description.replaceAll('\n', ' ')}`}`,
    `\`\`\`\ntelctl ${[...path, ...words].join(' ')}\n\`\`\``,
    ...(rows.length === 0 ? [] : [['| | |', '|---|---|', ...rows].join('\n')]),
    ...(examples.length === 0
      ? []
      : [`\`\`\`\n${examples.map(({ line, doc }) => `# ${doc}\n${line}`).join('\n')}\n\`\`\``]),
  ].join('\n\n');
}

export async function nounPage({ name, summary }: Noun, commands: readonly Command[]): Promise<string> {
  const parts = await Promise.all(commands.map(commandPart));
  return [`# telctl ${name}`, `${summary}.`, ...parts].join('\n\n');
}

const typeOf = ({ type, enum: words, format }: SchemaNode): string =>
  words && words.length <= 8
    ? words.map((word) => `\`${String(word)}\``).join(', ')
    : `${[type ?? 'any'].flat().join(' or ')}${format === undefined ? '' : `, ${format}`}`;

/** Yields table rows for the fields of a record, with nested fields below their parent. */
function* fieldRows(root: SchemaNode, node: SchemaNode, above: string, depth: number): Generator<string> {
  for (const key of Object.keys(node.properties ?? {})) {
    const field = resolveReference(root, findChildNode(root, node, key) ?? {});
    const facts = [
      ...(node.required?.includes(key) ? ['required'] : []),
      ...(field.readOnly ? ['made by the service'] : []),
      ...(field['x-secret'] ? ['secret'] : []),
      ...(field['x-ref'] === undefined ? [] : [`id of ${field['x-ref']}`]),
      ...(field.default === undefined ? [] : [`default \`${cell(JSON.stringify(field.default))}\``]),
    ];
    yield `| \`${above}${key}\` | ${typeOf(field)} | ${cell([field.description ?? '', ...facts].filter(Boolean).join('; '))} |`;
    if (depth > 0) yield* fieldRows(root, field, `${above}${key}.`, depth - 1);
  }
}

const deepest = 3;

/** Returns the page of a resource: its operations, if any, and its fields. */
export function resourcePage({ name, summary, schema }: Resource, operations: string): string {
  const fields = [...fieldRows(schema, resolveReference(schema, schema), '', deepest)];
  return [
    existsSync(operations) ? readFileSync(operations, 'utf8') : `# ${name}\n\n${summary}.`,
    '## Fields',
    fields.length === 0
      ? 'The service says nothing of its fields.'
      : ['| Field | Type | |', '|---|---|---|', ...fields].join('\n'),
  ].join('\n\n');
}
