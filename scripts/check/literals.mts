/** Finds object and array literals that are spread into a literal. Their content can be written there directly. */
import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

const found: string[] = [];
for (const file of globSync('src/**/*.ts').filter((path) => !/\bgenerated\b|\.test\.ts$/.test(path))) {
  const text = readFileSync(file, 'utf8');
  if (!/\.\.\.\s*[[{]/.test(text)) continue;
  const look = (
    parts: readonly ({ type: string; start: number; argument?: { type: string } | null } | null)[],
    literal: string,
  ) => {
    for (const part of parts)
      if (part?.type === 'SpreadElement' && part.argument?.type === literal)
        found.push(
          `${file}:${text.slice(0, part.start).split('\n').length}: write what is spread into the literal around it`,
        );
  };
  new Visitor({
    ObjectExpression: ({ properties }) => look(properties, 'ObjectExpression'),
    ArrayExpression: ({ elements }) => look(elements, 'ArrayExpression'),
  }).visit(parseSync(file, text).program);
}
if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
