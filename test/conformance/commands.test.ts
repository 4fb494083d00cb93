import { expect, test } from 'vitest';
import { shellWords } from '../../scripts/docs/command-lines.mts';
import { parseLine } from '../../src/cli/shell/parse-line.ts';
import { allNouns } from '../../src/cli/shell/registry.ts';
import { operations, resourceByName } from '../../src/contract/catalogue.ts';

const commands = (await Promise.all(allNouns().map((noun) => noun.commands()))).flat();
const operationIds = new Set(operations.map(({ id }) => id));

/** Returns the telctl part of an example, which can follow a pipe or be in `$(…)`. */
const telctlPart = (line: string): string | undefined =>
  /^(telctl .*)$/.exec(line)?.[1] ??
  /\$\((telctl [^)]*)\)/.exec(line)?.[1] ??
  /\| (telctl .*)$/.exec(line)?.[1];

test('no two commands have the same words', () => {
  const lines = commands.map(({ path }) => path.join(' '));
  expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
});

for (const command of commands.filter(({ hidden }) => !hidden)) {
  const name = `telctl ${command.path.join(' ')}`;

  test(`every example of ${name} parses as ${name}`, async () => {
    expect(command.examples.length).toBeGreaterThan(0);
    for (const { line } of command.examples) {
      const own = telctlPart(line);
      expect(own, line).toBeDefined();
      const [, ...words] = shellWords(own ?? '');
      const parsed = await parseLine(words, {});
      expect(parsed.kind === 'run' ? parsed.command.path : line).toEqual(command.path);
    }
  });

  test(`${name} has a one-line summary and names existing operations`, () => {
    expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
    expect((command.operations ?? []).filter((id) => !operationIds.has(id))).toEqual([]);
    for (const option of Object.values(command.options)) expect(option.doc).not.toBe('');
  });

  test(`${name} loads`, async () => {
    expect(await command.load()).toBeTypeOf('function');
  });
}

const patches = commands.filter(({ path }) => path.at(-1) === 'patch');
for (const { path, examples, operations: [id] = [] } of patches) {
  test(`the examples of telctl ${path.join(' ')} set existing fields`, () => {
    const resource = operations.find((operation) => operation.id === id)?.resource;
    const schema = resourceByName(resource ?? 'users').schema;
    const fields = examples.flatMap(({ line }) => /--set(?:-json)? ([\w]+)/.exec(line)?.[1] ?? []);
    expect(resource).toBeDefined();
    for (const field of fields) expect(Object.keys(schema.properties ?? {})).toContain(field);
  });
}
