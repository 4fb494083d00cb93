import { expect, it } from 'vitest';
import { groupedLines } from './document.ts';
import { parse } from './read-documents.ts';

it.each([
  [
    'office.yaml',
    'users:\n<<<<<<< HEAD\n  a: { username: a }\n=======\n  a: { username: b }\n>>>>>>> other\n',
  ],
  ['office.json', '{\n<<<<<<< HEAD\n  "a": 1\n=======\n  "a": 2\n>>>>>>> other\n}\n'],
])('%s: reports only the merge conflict markers', async (name, text) => {
  const { documents, problems } = await parse(name, text);
  expect(documents).toEqual([]);
  expect(problems.map(({ place }) => place)).toEqual([`${name}:2:1`]);
  expect(problems[0]?.message).toContain('a merge left a conflict here');
});

it('conflict markers inside a valid text are not a problem', async () => {
  const { problems } = await parse('office.yaml', 'note: |\n  <<<<<<< left\n  >>>>>>> right\n');
  expect(problems).toEqual([]);
});

const at = (line: number, message: string, more = {}) => ({
  ...{ place: `a.csv:${line}`, file: 'a.csv', line, column: undefined, message },
  ...more,
});

it('lists the cause first and groups similar problems in one line', () => {
  const missing = Array.from({ length: 169 }, (_, index) => at(index + 2, '"first_name" is missing'));
  const problems = [...missing, at(1, 'unknown column "frist_name"', { unknownKey: true })];
  expect(groupedLines(problems)).toEqual([
    'a.csv:1: unknown column "frist_name"',
    'a.csv:2: "first_name" is missing (and 168 more like it: 3, 4, 5, …)',
  ]);
  const warnings = ['alice', 'bob', 'carol'].map((name, index) =>
    at(index + 1, `users.${name} has no "password"`),
  );
  expect(groupedLines(warnings)).toEqual([
    'a.csv:1: users.alice has no "password" (and 2 more like it: 2, 3)',
  ]);
  const others = [at(1, 'one'), at(2, 'two'), { ...at(1, 'one'), file: 'b.csv', place: 'b.csv:1' }];
  expect(groupedLines(others)).toEqual(['a.csv:1: one', 'a.csv:2: two', 'b.csv:1: one']);
});

it('reports a duplicate key in a merged map once, at its own place', async () => {
  const text = 'x-base: &base\n  a: 1\n  a: 2\nusers:\n  alice:\n    <<: *base\n    b: 3\n';
  const { problems } = await parse('office.yaml', text);
  expect(problems.map(({ place, message }) => [place, message])).toEqual([
    ['office.yaml:3:3', '"a" is given twice'],
  ]);
});
