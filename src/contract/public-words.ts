import { resources } from './catalogue.ts';
import type { SchemaNode } from './schema-node.ts';

/** No schema contains these words of results, plans and errors. */
const ownWords = [
  'true false null none yes text json yaml account accounts manifest plan apply create created update updated change changed',
  'delete deleted unchanged done failed skipped found unknown nothing partial invalid differences unavailable interrupted',
  'refused conflict charges usage auth not_found error errors warning warnings notice problem problems message telctl service',
].flatMap((line) => line.split(' '));

let words: ReadonlySet<string> | undefined;

/**
 * Returns true for published text: the name of a resource or a field, or a value of a closed list. Such text is not
 * secret, and hiding it would make plans and errors unreadable.
 */
export function isPublicWord(text: string): boolean {
  words ??= publicWords();
  return words.has(text);
}

function publicWords(): ReadonlySet<string> {
  const found = new Set<string>(ownWords);
  const seen = new Set<SchemaNode>();
  const visit = (node: SchemaNode): void => {
    if (seen.has(node)) return;
    seen.add(node);
    for (const value of node.enum ?? []) if (typeof value === 'string') found.add(value);
    for (const [name, child] of Object.entries({ ...node.properties, ...node.$defs })) {
      found.add(name);
      visit(child);
    }
    for (const child of [...Object.values(node.patternProperties ?? {}), ...(node.anyOf ?? [])]) visit(child);
    for (const child of [node.items, node.additionalProperties]) if (typeof child === 'object') visit(child);
  };
  for (const { name, singular, schema } of resources) {
    found.add(name).add(singular);
    visit(schema);
  }
  return found;
}
