/**
 * Reports places in tests that let a bug pass or that fail by chance, and listed mutations (test/mutants) whose source
 * text is gone.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { listedMutations } from '../test/mutants/listed-mutations.ts';

const rules = [
  {
    pattern: /\bcode\)\.not\.|\]\)\.toContain\(\w+\.code\)/,
    why: 'exit codes are documented: compare with one code',
  },
  {
    pattern: /\bsetTimeout\(|node:timers\/promises/,
    why: 'do not wait for a fixed time: use vi.waitFor or expect.poll',
  },
  {
    pattern: /\.listen\([1-9]|--port(?:',\s*'|[ =])[1-9]\d/,
    why: 'a fixed port may be in use: listen on 0 or search for a free port',
  },
] as const;

const tests = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { exclude: ['**/node_modules/**'] });
const unreliable = tests.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      rules
        .filter(({ pattern }) => pattern.test(line))
        .map(({ why }) => `${file}:${index + 1}: ${why}\n    ${line.trim()}`),
    ),
);
/** `.ci/run` selects the tests that start a PostgreSQL server by the word `shared-state`. */
const misnamed = tests.filter(
  (file) =>
    !file.includes('shared-state') && /support\/postgres|\/fleet\.ts'/.test(readFileSync(file, 'utf8')),
);
const outdated = Object.entries(listedMutations).flatMap(([name, { tests, mutations }]) => [
  ...tests
    .filter((path) => !existsSync(path))
    .map((path) => `test/mutants/${name}.ts: ${path} does not exist`),
  ...mutations
    .filter(({ file, text }) => !existsSync(file) || readFileSync(file, 'utf8').split(text).length !== 2)
    .map(
      ({ what, file, text }) =>
        `test/mutants/${name}.ts: "${what}": ${file} must contain this text once:\n    ${text}`,
    ),
]);

const problems = [
  ...unreliable,
  ...misnamed.map((file) => `${file}: starts a PostgreSQL server, so its name has to contain shared-state`),
  ...outdated,
];
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
