import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePattern } from './call-patterns.ts';
import { shortMatch } from './short-patterns.ts';

/** Patterns of all kinds that the engine for calls can try, and a condition at the begin. */
const { pattern } = fc.letrec<{ pattern: string; part: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('9', '1', '\\d', '.', '[19]', '[^1]', '[0-8]', '\\+', '^', '$', '(?:)'),
    fc.tuple(fc.constantFrom('(', '(?:'), tie('pattern')).map(([open, inner]) => `${open}${inner})`),
  ),
  part: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '?', '*', '+', '{2}', '{1,3}', '{0,1}', '*?', '??'))
    .map(([atom, sign]) => (/^[$^]$/.test(atom) ? atom : `${atom}${sign}`)),
  pattern: fc.oneof(
    { depthSize: 'small' },
    fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    fc.tuple(tie('part'), tie('part')).map((parts) => parts.join('|')),
  ),
}));

test('matches a short number to a pattern exactly as calls do', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        pattern,
        pattern.map((each) => `^(?!91)(?:${each})`),
      ),
      fc.constantFrom('911', '112', '999', '000', '110', '10111', '91', ''),
      (each, number) => {
        expect([each, number, shortMatch(each, number) !== undefined]).toEqual([
          each,
          number,
          compilePattern(each)?.test(number) === true,
        ]);
      },
    ),
    { numRuns: 800 },
  );
});

test.each([
  ['^9(\\d+)$', '911', ['11']],
  ['^(?:9)?(\\d+)$', '911', ['11']],
  ['^(\\d+?)1*$', '911', ['9']],
  ['^(1)|(9)11$', '911', ['9']],
  ['^9(?=1)1+$', '911', []],
  ['^9(?!1)\\d+$', '911', undefined],
  ['^(?>9)11$', '911', []],
  ['^(9)1\\1$', '919', undefined],
  ['[[:digit:]]{3}', '911', []],
  ['((1?){1000}){1000}2', '11111', undefined],
  ['(', '911', undefined],
] as const)('%s on %s captures %j', (each, number, groups) => {
  expect(shortMatch(each, number)).toEqual(groups);
});
