/**
 * Looks through the tests for what lets a fault pass or fails by chance, and names each place. Looks, too, whether each
 * fault that is tried (test/mutants) still has its place in the source.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { rooms } from '../test/mutants/rooms.ts';

const rules = [
  {
    pattern: /\bcode\)\.not\.|\]\)\.toContain\(\w+\.code\)/,
    why: 'an exit code is a promise: say which one it is',
  },
  {
    pattern: /\bsetTimeout\(|node:timers\/promises/,
    why: 'wait for what is meant to happen (vi.waitFor, expect.poll), not for time to pass',
  },
  {
    pattern: /\.listen\([1-9]|--port(?:',\s*'|[ =])[1-9]\d/,
    why: 'a port of its own may be taken: listen on 0, or look for a free one',
  },
] as const;

const tests = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { exclude: ['**/node_modules/**'] });
const lax = tests.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      rules
        .filter(({ pattern }) => pattern.test(line))
        .map(({ why }) => `${file}:${index + 1}: ${why}\n    ${line.trim()}`),
    ),
);
/** `.ci/run` and people choose the tests that start a PostgreSQL server by this word. */
const misnamed = tests.filter(
  (file) =>
    !file.includes('shared-state') && /support\/postgres|\/fleet\.ts'/.test(readFileSync(file, 'utf8')),
);
const misplaced = Object.entries(rooms).flatMap(([name, { tests, faults }]) => [
  ...tests.filter((path) => !existsSync(path)).map((path) => `test/mutants/${name}.ts: ${path} is gone`),
  ...faults
    .filter(({ file, text }) => !existsSync(file) || readFileSync(file, 'utf8').split(text).length !== 2)
    .map(
      ({ what, file, text }) => `test/mutants/${name}.ts: "${what}": ${file} has not this once:\n    ${text}`,
    ),
]);

const found = [
  ...lax,
  ...misnamed.map((file) => `${file}: starts a PostgreSQL server, so its name has to contain shared-state`),
  ...misplaced,
];
if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
