import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseBlocks, runPage } from '../../support/transcripts.ts';

const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')]
  .sort()
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const blockKinds = (text: string): ReadonlySet<string> => new Set(parseBlocks(text).map(({ kind }) => kind));

describe('transcripts in the documentation', () => {
  it.each(pages)('run, or give a reason why not: $path', ({ text }) => {
    expect(parseBlocks(text).filter(({ kind }) => kind === 'unmarked')).toEqual([]);
  });

  // `npm test -- test/scenarios/output/transcripts.test.ts -u` writes the actual output to the page.
  it.each(pages.filter(({ text }) => blockKinds(text).has('transcript')))(
    'match the actual output: $path',
    async ({ path, text }) => {
      await expect(await runPage(text)).toMatchFileSnapshot(`../../../${path}`);
    },
  );
});
