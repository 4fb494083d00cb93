import { globSync, readFileSync } from 'node:fs';
import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { serviceNouns } from '../../src/cli/commands/nouns.ts';

/** Text in front of a value that stands in a line to copy: it has begun, and its sentence has not ended. */
const line = new RegExp(
  `(?:^|: )telctl (?:${[...serviceNouns.map(({ name }) => name), 'login', 'completion', 'profiles', 'chmod'].join('|')})\\b(?:(?!\\.(?: |$)).)*$`,
);

/** What stands there as it is: quoted by its function, or a word that telctl or the service chose itself. */
const safe = [
  /^(?:shellWord|followUpCommand|nameOption|argumentsFor)\(/,
  /^(?:option|verb|shell|section|name|word|it|kind\.name|where|way|elsewhere|seconds)$/,
  /(?:^|[.?\s])(?:id|run|undo|accountId|time|path)$/,
  /^shells\.join|^(?:from|loss) === | \? shellWord\(/,
];

/** The values that a template puts into lines to copy. */
function* proposed(node: ts.Node): Generator<string> {
  if (ts.isTemplateExpression(node)) {
    let text = node.head.text;
    for (const { expression, literal } of node.templateSpans) {
      if (line.test(text)) yield expression.getText();
      text += `…${literal.text}`;
    }
  }
  for (const child of node.getChildren()) yield* proposed(child);
}

test('every word of a name, a file or an address in a line to copy is quoted for the shell', () => {
  const unquoted = globSync('src/**/*.ts', { exclude: (name) => /generated|\.test\.ts$/.test(name) }).flatMap(
    (path) => {
      const source = readFileSync(path, 'utf8');
      if (!source.includes('telctl ')) return [];
      const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
      return [...proposed(file)]
        .filter((text) => !safe.some((each) => each.test(text)))
        .map((text) => `${path}: ${text}`);
    },
  );
  expect(unquoted).toEqual([]);
});
