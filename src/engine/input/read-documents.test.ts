import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DocumentNode, textSource } from './document.ts';
import { readYaml } from './read-yaml.ts';
import { readSimpleYaml } from './simple-yaml.ts';

/** A document with the places of everything in it, as plain data. */
function placed(node: DocumentNode): unknown {
  const { at } = node;
  if (node.kind === 'scalar') return { at, text: node.text, plain: node.plain };
  if (node.kind === 'list') return { at, items: node.items.map(placed) };
  return { at, entries: node.entries.map((entry) => ({ at: entry.at, [entry.key]: placed(entry.value) })) };
}

const simple = (text: string) => readSimpleYaml(textSource('a.yaml', text), text)?.map(placed);
const whole = async (text: string) => {
  const { documents, problems } = await readYaml('a.yaml', text);
  return { documents: documents.map(placed), problems: problems.map(({ message }) => message) };
};

/** Checks that the package reads a text as the simple reader does, where that one takes it, and finds nothing wrong. */
async function agrees(text: string): Promise<boolean> {
  const found = simple(text);
  if (found) expect({ text, ...(await whole(text)) }).toEqual({ text, documents: found, problems: [] });
  return found !== undefined;
}

/** Parted by ¦. */
const pieces = `a¦b:¦c: ¦d:\n¦ ¦  ¦    ¦\n¦\n  ¦\n    ¦- ¦-¦"e"¦'f'¦"g\\n": ¦{¦}¦[¦]¦, ¦,¦: ¦:¦ # h\n¦#¦|\n¦|-\n¦---\n¦...\n¦~¦12:30¦&i ¦*i¦!j ¦<<: ¦? ¦%¦@¦$¦\${k}¦>¦\t¦\\¦"¦'¦é¦.5`;
const changes = `¦ ¦  ¦\n¦:¦-¦- ¦#¦ #¦"¦'¦{¦}¦,¦|¦x¦\n\n`;
const base = `set: o # s
users:
  alice:
    name: "A b"
    n: [1, {x: y}]
    t: |
      one

      two
  bob: {a: b}
list:
- a: b
  c: 'd'
- e
---
f: g
`;

describe('the simple YAML reader', () => {
  it.each([
    'a: b',
    '# head\n\nset: office\nusers:\n  alice: # her\n    name: "Alice \\"A\\" \\u00e9\\n"\n    on: true\n',
    "a: 'it''s'\nb:\n\nc: {}\nd: []\n",
    'a:\n- b\n- c: d\n  e: f\n-\n  g: h\ni: - j\n'.replace('i: - j\n', 'i: -1\n'),
    '- - a\n  - b\n-   c: d\n    e:\n      - f\n',
    'a: [b, "c", [d, {e: f, "g": h}], { }, -1, 12:30]\nb: { c: d }   # e\n',
    'a: |\n  one\n\n    two # no comment\n\nb: |-\n  x\n# end\nc: ~\n',
    `a: +15551230000\nb: 0100\nc: 12:30\nd: http://x.example/#y\ne: two words, and more!\nf: \${users.alice}\n`,
    '---\na: b\n---\nc: d\n--- \ne:\n',
    '  a: b\n  c: d\n',
    `"a b": c\n\${users.x}: d\n`,
    'a:\n  # first\n  b: c\n # odd\n\n  d: e   \n   ',
  ])('reads %j like the yaml package', async (text) => {
    expect(await agrees(text)).toBe(true);
  });

  it.each([
    'a: &x b\nc: *x\n',
    'a: !!str b\n',
    'a: >\n  b\n',
    'a: |2\n  b\n',
    'a: b\n  c\n',
    'a: "b\n  c"\n',
    '? a\n: b\n',
    '<<: { a: b }\n',
    'a:\tb\n',
    'a: b\r\n',
    '%YAML 1.2\n---\na: b\n',
    'a: b\n...\n',
    'a: { b: c\n}\n',
    'a: { b }\n',
    'a: [b,]\n',
    'a: b: c\n',
    'a: - b\n',
    'a: @b\n',
    'a: "b" c\n',
    'a: "\\x41"\n',
    'a:\n    b: c\n  d: e\n',
    'text',
    '',
    `${'k'.repeat(1100)}: a\n`,
    `a: ${'['.repeat(60)}${']'.repeat(60)}\n`,
  ])('leaves %j to the yaml package', async (text) => {
    expect(simple(text)).toBeUndefined();
  });

  it('agrees with the yaml package on random lines', async () => {
    const piece = fc.constantFrom(...pieces.split('¦'));
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (some) => {
        if (await agrees(some.join(''))) taken += 1;
      }),
      { numRuns: 1000 },
    );
    expect(taken).toBeGreaterThan(0);
  });

  it('agrees with the yaml package on randomly edited documents', async () => {
    const change = fc.constantFrom(...changes.split('¦'));
    const edit = fc.record({ at: fc.nat(base.length), cut: fc.nat(4), put: change });
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 2 }), async (edits) => {
        const text = edits.reduce(
          (here, { at, cut, put }) => here.slice(0, at) + put + here.slice(at + cut),
          base,
        );
        if (await agrees(text)) taken += 1;
      }),
      { numRuns: 1000 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});
