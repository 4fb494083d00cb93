import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { keepLayout } from './yaml-file.ts';

const lines = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd: 1', 'e'), { maxLength: 12 })
  .map((each) => each.join('\n'));

describe('keeping the layout of a text', () => {
  it('keeps the layout of unchanged lines', () => {
    expect(
      keepLayout(
        'a:   1\n\n\nb: [ 1,2 ]\nc: 3   # x\n',
        'a: 1\n\nb: [1, 2]\nc: 3 # x\n',
        'a: 1\n\nb: [1, 2]\nc: 4 # x\nd: 5\n',
      ),
    ).toBe('a:   1\n\n\nb: [ 1,2 ]\nc: 4 # x\nd: 5\n');
  });

  test('returns the new text if the old text had no custom layout', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        expect(keepLayout(before, before, after)).toBe(after);
      }),
    );
  });

  test('keeps the layout of an unchanged text', () => {
    fc.assert(
      fc.property(lines, lines, (original, before) => {
        expect(keepLayout(original, before, before)).toBe(original);
      }),
    );
  });
});
