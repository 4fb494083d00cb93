import fc from 'fast-check';
import { expect, it } from 'vitest';
import { handlerBench, textOf } from '../../../../test/support/command-run.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { usersCommands } from '../users/commands.ts';
import { callflowsCommands } from './commands.ts';
import { drawMermaid, drawSvg, drawTree, flowRows } from './show.ts';

async function mainLine() {
  const bench = await handlerBench([...callflowsCommands, ...usersCommands]);
  const idOf = async (argv: readonly string[], stdin = ''): Promise<string> => {
    const { result } = await bench.run(argv, { stdin });
    return result.kind === 'done' && isObject(result.value) ? String(result.value.id) : '';
  };
  const alice = await idOf(
    ['users', 'create', '-f', '-'],
    'username: alice\nfirst_name: Alice\nlast_name: Archer\npassword: secret\n',
  );
  const night = await idOf(['callflows', 'create', '--name', 'After hours', '--set', 'numbers.0=0199']);
  const menu = 'f'.repeat(32);
  const flow = {
    module: 'menu',
    data: { id: menu },
    children: {
      _: { module: 'callflow', data: { id: night }, children: {} },
      2: { module: 'hangup', data: {}, children: {} },
      1: {
        module: 'user',
        data: { id: alice, timeout: 20 },
        children: { _: { module: 'tts', data: { text: 'Nobody "here"' }, children: {} } },
      },
    },
  };
  await bench.run(['callflows', 'create', '-f', '-'], {
    stdin: JSON.stringify({ name: 'Main line', numbers: ['+15551230000', '0100'], flow }),
  });
  return bench;
}

it('draws a callflow as a tree with record names', async () => {
  const { run } = await mainLine();
  const { result } = await run(['callflows', 'show', '0100', '--as', 'tree']);
  expect(result.kind === 'text' && result.text).toEqual([
    'Main line  +15551230000, 0100',
    'menu (missing: ffffffff…)',
    '├─ 1  user "alice" (20 s)',
    '│     └─ _  tts "Nobody \\"here\\""',
    '├─ 2  hangup',
    '└─ _  callflow "After hours" →',
  ]);
  expect(result).toMatchObject({ value: { name: 'Main line' } });
});

it('draws a Mermaid diagram', async () => {
  const { run } = await mainLine();
  const { result } = await run(['callflows', 'show', 'Main line', '--as', 'mermaid']);
  expect(textOf(result).split('\n').slice(0, 6)).toEqual([
    'flowchart TD',
    '  n0(["Main line +15551230000, 0100"])',
    '  n1["menu (missing: ffffffff…)"]',
    '  n0 --> n1',
    '  n2["user #34;alice#34; (20 s)"]',
    '  n1 -->|"1"| n2',
  ]);
});

it('escapes labels that would break Mermaid syntax', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, key) => {
      const flow: JsonObject = {
        module: text,
        data: { text },
        children: Object.fromEntries([[key, { module: 'hangup' }]]),
      };
      const lines = drawMermaid(text, flowRows(flow, new Map())).trimEnd().split('\n');
      for (const line of lines.slice(1))
        expect(line).toMatch(
          /^ {2}(?:n\d+(?:\(\["[^"\n]*"\]\)|\["[^"\n]*"\])|n\d+ -->(?:\|"[^"\n]*"\|)? n\d+)$/,
        );
    }),
  );
});

it('stops at a maximum depth', () => {
  let flow: JsonObject = { module: 'hangup' };
  for (let depth = 0; depth < 500; depth += 1) flow = { module: 'user', children: { _: flow } };
  expect(drawTree('deep', flowRows(flow, new Map())).join('\n')).toContain('nested too deep');
});

it('reports an empty flow', () => {
  expect(drawTree('Empty', undefined)).toEqual(['Empty', '(no flow)']);
});

it('prints DOT output and escapes special characters in names', async () => {
  const { run } = await mainLine();
  const { result } = await run(['callflows', 'show', 'Main line', '--as', 'dot']);
  const text = textOf(result);
  expect(text).toContain('  n3 [label="tts \\"Nobody \\\\\\"here\\\\\\"\\"", shape=box, style=rounded];\n');
  expect(text).toContain('  n1 -> n2 [label="1"];\n');
});

it('draws a self-contained image with names and digits', async () => {
  const { run } = await mainLine();
  const { result } = await run(['callflows', 'show', 'Main line', '--as', 'svg']);
  const text = textOf(result);
  expect(text).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+" height="\d+"/);
  for (const word of ['>Main line<', '>menu<', '>&quot;alice&quot; (20 s)<', '>1<', '>otherwise<'])
    expect(text).toContain(word);
  expect(text.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<script|href|url\([^#]/);
});

it('orders branches by digit in an image', async () => {
  const children = Object.fromEntries(Array.from({ length: 10 }, (_, key) => [key, { module: 'hangup' }]));
  const text = await drawSvg('Menu', flowRows({ module: 'menu', children }, new Map()));
  const tops = [...text.matchAll(/<g class="key">.*? y="([\d.]+)">\d<\/text>/g)].map(([, y]) => Number(y));
  expect(tops).toHaveLength(10);
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
});

it('escapes names that would break an image', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), async (text, key) => {
      const flow = { module: text, data: { text }, children: { [key]: { module: 'hangup' } } };
      const lines = (await drawSvg(text, flowRows(flow, new Map()))).trimEnd().split('\n');
      for (const line of lines.filter((each) => !each.startsWith('<style>'))) {
        const bare = line.replaceAll(
          /<\/?(svg|title|style|defs|marker|path|g|rect|text)( [a-zA-Z-]+="[^"<>]*")*\/?>/g,
          '',
        );
        expect(bare).not.toMatch(/[<>"\p{Cc}]|&(?!(amp|lt|gt|quot|#39);)/u);
      }
    }),
    { numRuns: 50 },
  );
});
