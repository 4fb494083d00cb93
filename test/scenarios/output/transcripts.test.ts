import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asItRuns, blocksOf } from '../../support/transcripts.ts';

const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')]
  .sort()
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const kindsIn = (text: string): ReadonlySet<string> => new Set(blocksOf(text).map(({ kind }) => kind));

describe('transcripts of the pages', () => {
  it.each(pages)('are run, or say why they are not: $path', ({ text }) => {
    expect(blocksOf(text).filter(({ kind }) => kind === 'unmarked')).toEqual([]);
  });

  // `npm test -- test/scenarios/output/transcripts.test.ts -u` writes what comes into the page.
  it.each(pages.filter(({ text }) => kindsIn(text).has('transcript')))(
    'are what comes: $path',
    async ({ path, text }) => {
      await expect(await asItRuns(text)).toMatchFileSnapshot(`../../../${path}`);
    },
  );
});
