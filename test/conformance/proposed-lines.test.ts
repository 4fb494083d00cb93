import { globSync, readFileSync } from 'node:fs';
import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { shellWords } from '../../scripts/docs/command-lines.mts';
import { NextStep } from '../../src/base/failure.ts';
import { parseLine } from '../../src/cli/shell/parse-line.ts';
import { allNouns } from '../../src/cli/shell/registry.ts';

// Checks that each proposed line is created by `nextStep`, which quotes its values, and is a valid command line.

const commands = (await Promise.all(allNouns().map((noun) => noun.commands()))).flat();
const paths = new Set(commands.map(({ path }) => path.join(' ')));

const sources = globSync('src/**/*.ts', { exclude: (name) => /generated|\.test\.ts$/.test(name) }).flatMap(
  (path) => {
    const text = readFileSync(path, 'utf8');
    return /telctl |nextStep`/.test(text)
      ? [{ path, file: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) }]
      : [];
  },
);

/** Yields the texts of a file and their template tags, without command help. */
function* findTexts(node: ts.Node): Generator<{ readonly tag: string; readonly text: string }> {
  if (ts.isPropertyAssignment(node) && /^(?:examples|doc|description|summary)$/.test(node.name.getText()))
    return;
  const tag = ts.isTaggedTemplateExpression(node.parent) ? node.parent.tag.getText() : '';
  if (ts.isStringLiteralLike(node)) yield { tag, text: node.text };
  if (ts.isTemplateExpression(node))
    yield { tag, text: [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('5') };
  for (const child of node.getChildren()) yield* findTexts(child);
}

const texts = sources.flatMap(({ path, file }) =>
  file.statements.flatMap((node) => [...findTexts(node)].map((each) => ({ path, ...each }))),
);

const steps = texts.flatMap(({ path, tag, text }) => (tag === 'nextStep' ? [`${path}: ${text}`] : []));

/**
 * Returns the command of a line after its placeholders are replaced or optional parts removed, or `undefined` if the
 * line is invalid.
 */
async function parseCommand(line: string) {
  const typed = line.replaceAll(/\b(?:PORT|N)\b/g, '5');
  for (const words of [typed, typed.replace(/ 5$/, '')])
    try {
      const parsed = await parseLine(shellWords(words), {});
      if (parsed.kind === 'run') return parsed.command;
      if (parsed.kind === 'help') return undefined;
    } catch {
      // Tries the next form.
    }
  throw new Error(line);
}

test.each(steps)('%s is a valid command line of the expected kind', async (step) => {
  const line = step.slice(step.indexOf(': ') + 2);
  // The words of the resource or the verb are variable.
  if (/^(?:users )?5 /.test(line)) return;
  const command = await parseCommand(line);
  if (new NextStep(line).kind === 'look' && command) expect(command.effect).toMatch(/^(?:read|local)$/);
});

/** Texts for files, programs and names, which are not proposed to the reader. */
const otherwise =
  /src\/(?:cli\/shell\/(?:help\/|completion\/scripts)|cli\/commands\/(?:nouns\.ts|manifest\/(?:init|validate\.ts))|engine\/manifest\/(?:manifest-text|plan-schema)|extensions\/(?:assistant\/(?:skill|serve|run-call)|calls\/(?:cases\/|commands\/lint)|conformance\/commands|fleet\/(?:reconcile\/reconcile|rollout\/share-work)))/;

test('only nextStep proposes command lines', () => {
  const proposed = texts.filter(({ path, tag, text }) => {
    const [, words = ''] = /(?:^|: |; )telctl ([a-z -]+)/.exec(text) ?? [];
    const named = words.split(' ').map((_, index, all) => all.slice(0, index + 1).join(' '));
    const isSentence = /^(?:\w+ )+(?:takes|shows|needs|waits|listens|gives)\b/.test(words);
    return (
      tag !== 'nextStep' && !otherwise.test(path) && !isSentence && named.some((each) => paths.has(each))
    );
  });
  expect(proposed).toEqual([]);
});
