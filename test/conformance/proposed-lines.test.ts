import { globSync, readFileSync } from 'node:fs';
import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { shellWords } from '../../scripts/docs/command-lines.mts';
import { NextStep } from '../../src/base/failure.ts';
import { parseLine } from '../../src/cli/shell/parse-line.ts';
import { allNouns } from '../../src/cli/shell/registry.ts';

// Each line that telctl proposes is made by `nextStep`, which quotes its values, and can be typed.

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

/** Texts of a file with the tags of templates, less what help says of a command. */
function* textsIn(node: ts.Node): Generator<{ readonly tag: string; readonly text: string }> {
  if (ts.isPropertyAssignment(node) && /^(?:examples|doc|description|summary)$/.test(node.name.getText()))
    return;
  const tag = ts.isTaggedTemplateExpression(node.parent) ? node.parent.tag.getText() : '';
  if (ts.isStringLiteralLike(node)) yield { tag, text: node.text };
  if (ts.isTemplateExpression(node))
    yield { tag, text: [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('5') };
  for (const child of node.getChildren()) yield* textsIn(child);
}

const texts = sources.flatMap(({ path, file }) =>
  file.statements.flatMap((node) => [...textsIn(node)].map((each) => ({ path, ...each }))),
);

const steps = texts.flatMap(({ path, tag, text }) => (tag === 'nextStep' ? [`${path}: ${text}`] : []));

/** The command of a line, with values in its places or without the options that may stand at its end; `undefined` where it cannot be typed. */
async function commandOf(line: string) {
  const typed = line.replaceAll(/\b(?:PORT|N)\b/g, '5');
  for (const words of [typed, typed.replace(/ 5$/, '')])
    try {
      const parsed = await parseLine(shellWords(words), {});
      if (parsed.kind === 'run') return parsed.command;
      if (parsed.kind === 'help') return undefined;
    } catch {
      // The other form is tried.
    }
  throw new Error(line);
}

test.each(steps)('%s is a valid command line of the expected kind', async (step) => {
  const line = step.slice(step.indexOf(': ') + 2);
  // The words of a resource, or the verb, are a value.
  if (/^(?:users )?5 /.test(line)) return;
  const command = await commandOf(line);
  if (new NextStep(line).kind === 'look' && command) expect(command.effect).toMatch(/^(?:read|local)$/);
});

/** Texts that are written into files or programs, and names: no lines that a reader is to type next. */
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
