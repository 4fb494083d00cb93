/** Looks through the tests for what lets a fault pass or fails by chance, and names each place. */
import { globSync, readFileSync } from 'node:fs';

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

const found = globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      rules
        .filter(({ pattern }) => pattern.test(line))
        .map(({ why }) => `${file}:${index + 1}: ${why}\n    ${line.trim()}`),
    ),
);
if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
