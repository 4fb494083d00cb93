import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { plainValue } from '../../src/cli/commands/api/send.ts';
import { parse } from '../../src/engine/input/read-documents.ts';
import { jsYaml } from '../support/outside-libraries.ts';

/** Returns the documents of telctl as text, maps and lists, or its error message. */
async function parseWithTelctl(text: string): Promise<unknown> {
  const { documents, problems } = await parse('x.yaml', text);
  const [first] = problems;
  return first === undefined ? documents.map(toTexts) : `refused: ${first.place}: ${first.message}`;
}

type Node = Parameters<typeof plainValue>[0];

/** Returns a node with plain scalars as text. */
function toTexts(node: Node): unknown {
  if (node.kind === 'list') return node.items.map(toTexts);
  if (node.kind === 'map')
    return Object.fromEntries(node.entries.map(({ key, value }) => [key, toTexts(value)]));
  return node.text;
}

/** Returns the documents of the other parser. Omits empty ones like telctl. */
function parseWithOther(text: string): unknown {
  try {
    return jsYaml.loadAll(text, { schema: jsYaml.FAILSAFE_SCHEMA }).filter((each) => each !== '');
  } catch (error) {
    return `refused: ${String(error).split('\n')[0]}`;
  }
}

/** Documents that both parsers must accept with the same result. */
const accepted = [
  'a: 1\nb: two\n',
  'a:\n  b:\n    c: d\n',
  'a:\n- b\n- c\n',
  'a:\n  - b\n  - - c\n    - d\n',
  '- a: b\n  c: d\n- e: f\n',
  '-\n  a: b\n-\n  - c\n',
  'a: [b, [c, d], {e: f}]\n',
  'a: {b: c, d: {e: [f]}}\n',
  'a: { b: c, }\n',
  'a: [b, ]\n',
  'a: [\n  b,\n  c\n  ]\nd: {\n  e: f\n  }\n',
  '{a: b, "c": d}\n',
  '{"a":"b","c":["d"]}\n',
  'a: "b"\n"c d": e\n\'f g\': h\n',
  'a: "tab\\t nl\\n quote\\" back\\\\ u\\u00e9 x\\x41 U\\U0001f600"\n',
  "a: 'it''s'\n",
  'a: "one\n  two\n\n  three"\n',
  "a: 'one\n  two'\n",
  'a: "one \\\n  two"\n',
  'a: one\n  two\n  three\n',
  'a: one\n\n  two\n',
  'a: |\n  one\n   two\n\n  three\nb: c\n',
  'a: |-\n  one\n  two\n',
  'a: |+\n  one\n\n\nb: c\n',
  'a: >\n  one\n  two\n\n  three\n    more\n  end\n',
  'a: >-\n  one\n  two\n',
  'a: >+\n  one\n\n',
  'a: |2\n   one\n  two\n',
  'a: | # comment\n  one\n',
  'a: |\n\n  one\n',
  'a: ""\nb: \'\'\nc:\n',
  '# head\na: b # tail\n# foot\n',
  'a: b#c\nd: "#e"\nf: g # h\n',
  'a: http://x.example:80/y?z=1#w\n',
  'a: b:c\nd: e::f\n',
  'a: - b\n'.replace('- b', '-b'),
  'a: -1\nb: --c\nc: ?d\nd: :e\n',
  'a: 12:30\nb: 0100\nc: 1e5\nd: 1_000\ne: 0x1F\nf: 0o17\ng: .5\nh: +15551230000\n',
  'a: yes\nb: No\nc: null\nd: ~\ne: TRUE\nf: .inf\ng: 2024-01-01\n',
  'yes: a\nnull: b\n1: c\n1.5: d\n~: e\n',
  '? a\n: b\n? c\n: - d\n',
  'a: &x b\nc: *x\n',
  'a: &x {b: c}\nd: [*x, *x]\n',
  'a: &x\n  b: c\nd: *x\n',
  'a: !!str 1\nb: !!map {c: d}\ne: !!seq [f]\n',
  '---\na: b\n---\nc: d\n...\n',
  '--- a\n--- b\n',
  '%YAML 1.2\n---\na: b\n',
  '---\n# nothing\n---\na: b\n',
  '\ufeffa: b\n',
  'a: b\r\nc:\r\n  - d\r\n',
  'a: "b\r\n  c"\r\n',
  'a:   b   \nc:\t\td\n',
  'a : b\n"c" : d\n',
  'a: [b c, d e]\n',
  'a: [b: c, d]\n',
  'a: {b, c: , d: e}\n',
  'a: {"b":c}\n',
  'a: [a,b,"c","d"]\n',
  'Zoë: 日本\n😀: é\n',
  'a: b c: d\n'.replace(' c:', ' c'),
  'a: "b: c"\nd: \'e: f\'\n',
  'a: <<\n"<<": b\n',
  'a: |\n  # no comment\n  - no list\n  b: no map\n',
  '- - - a\n- - b\n- c\n',
  'a:\n\n\n  b: c\n\n\nd: e\n',
  '  a: b\n  c: d\n',
  'a:\n    - b\n    - c:\n        d\n',
  'a: @b\n'.replace('@b', 'x@b'),
  'a: `b`\n'.replaceAll('`', '_'),
  'a: %b\n'.replace('%b', 'x%b'),
  '"a\\nb": c\n',
  'a: "\\/\\e\\0\\a\\_\\N\\L\\P"\n',
];

test('valid documents are read as another parser reads them', async () => {
  for (const text of accepted)
    expect([text, await parseWithTelctl(text)]).toEqual([text, parseWithOther(text)]);
  expect(accepted.map(parseWithOther).filter((each) => typeof each === 'string')).toEqual([]);
});

/** Documents that both parsers must refuse. */
const refused = [
  'a: b: c\n',
  'a: [b\n',
  'a: {b: c\n',
  'a: "b\n',
  "a: 'b\n",
  'a: b\n c: d\n',
  'a:\n  b: c\n d: e\n',
  'a: *x\n',
  'a: @b\n',
  'a: `b\n',
  'a: b\na: c\n',
  '{a: b, a: c}\n',
  'a: "b" c\n',
  'a: [b] c\n',
  'a: "\\q"\n',
  'a: "\\x4"\n',
  '- a\nb: c\n',
  'a: b\n- c\n',
  'a: - b\n',
  'a: |x\n  b\n',
  'a:\n\tb: c\n',
  'a: ]\n',
  '---\na: b\n...\nc\n: d\n...\n]\n',
  'a: !x b\n',
  '%YAML 1.2\na: b\n',
  'a: "b\n---\nc"\n',
];

test('invalid documents are refused as another parser refuses them', async () => {
  for (const text of refused)
    expect([text, typeof parseWithOther(text), typeof (await parseWithTelctl(text))]).toEqual([
      text,
      'string',
      'string',
    ]);
});

/** Lines near the limits of the fast parser of telctl. */
const key = fc.constantFrom('a', 'b', 'c-d', '"e"', "'f'", 'g h', '1', 'null', 'ü');
const scalar = fc.constantFrom(
  'x',
  '-x',
  '- x',
  '"q"',
  '"q\\n"',
  "'s'",
  "'it''s'",
  'x y',
  'x: y',
  'x:y',
  'x #y',
  'x#y',
  '#y',
  '[x, y]',
  '[x',
  '{x: y}',
  '{x}',
  '[]',
  '{}',
  '',
  '|',
  '>-',
  '0',
  '~',
  '*x',
  '&x y',
  '!!str y',
  '"',
  "'",
  '?',
  ':',
  '-',
  'x"y',
  'x,y',
  '[x,y,]',
  '{x: "y", z}',
  'x\ty',
  '%x',
  '@',
  'é',
);
const line = fc.tuple(
  fc.constantFrom('', '', '  ', '    ', '- ', '  - ', '# '),
  key,
  fc.constantFrom(': ', ':', ' : ', ':  '),
  scalar,
);
const bare = fc.tuple(fc.constantFrom('', '- ', '  - ', '  ', '    '), scalar);
const text = fc
  .array(fc.oneof({ weight: 4, arbitrary: line }, { weight: 1, arbitrary: bare }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((lines) => lines.map((parts) => `${parts.join('')}\n`).join(''));

/** telctl intentionally refuses some documents: with tags other than text, keys other than text, or `${` in braces. */
const onPurpose = /is given twice|tags such as|a key must be plain text|a key must be text/;

/** Returns true for documents that are only a text, which no command accepts. */
const containsText = (documents: unknown): boolean =>
  Array.isArray(documents) && documents.some((each) => typeof each === 'string');

test('files of odd lines are read as another parser reads them, or refused', async () => {
  let [same, both] = [0, 0];
  const wrong: string[] = [];
  await fc.assert(
    fc.asyncProperty(text, async (each) => {
      const [ours, other] = [await parseWithTelctl(each), parseWithOther(each)];
      if (typeof ours === 'string' && typeof other === 'string') both += 1;
      else if (JSON.stringify(ours) === JSON.stringify(other)) same += 1;
      else if (containsText(ours)) return;
      else if (!(typeof ours === 'string' && onPurpose.test(ours)))
        wrong.push(`${JSON.stringify(each)}: ${JSON.stringify(ours)}, not ${JSON.stringify(other)}`);
    }),
    { numRuns: 1500, seed: Number(process.env.FUZZ_SEED ?? '1') },
  );
  expect(wrong.sort((one, two) => one.length - two.length).slice(0, 40)).toEqual([]);
  expect([same > 150, both > 150], `${same} ${both}`).toEqual([true, true]);
});
