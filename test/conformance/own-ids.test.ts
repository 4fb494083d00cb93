import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inWords } from '../../src/base/wording.ts';
import { resources } from '../../src/contract/catalogue.ts';

test('the page names the kinds whose objects two runners make once, and no others', () => {
  const page = readFileSync('docs/teams.md', 'utf8');
  const [, named = ''] = page.match(/That holds for (blacklists[^.]+)\./) ?? [];
  const kinds = resources.filter(({ takesOwnId }) => takesOwnId === true).map(({ name }) => inWords(name));
  expect(named.split(/, | and /).toSorted()).toEqual(kinds.toSorted());
});
