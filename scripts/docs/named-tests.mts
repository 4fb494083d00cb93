import { existsSync, readFileSync } from 'node:fs';

/** A test that a page names: `` `FILE.test.ts`: "NAME" ``. */
interface NamedTest {
  readonly file: string;
  readonly name: string;
}

const namedTests = (page: string): readonly NamedTest[] =>
  [...page.matchAll(/`([^`\s]+\.test\.ts)`: "([^"]+)"/g)].map(([, file = '', name = '']) => ({ file, name }));

/** Returns the tests that a page names and that do not exist. */
export const findMissingTests = (page: string): readonly string[] =>
  namedTests(page).flatMap(({ file, name }) =>
    existsSync(file) && readFileSync(file, 'utf8').includes(name) ? [] : [`${file} has no test "${name}"`],
  );
