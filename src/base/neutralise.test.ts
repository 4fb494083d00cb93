import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isHarmful, neutralise, neutraliseJson, neutraliseLines } from './neutralise.ts';

// Said once more and differently from the code: what a terminal obeys, or what hides or reorders text.
const forbidden = (text: string): boolean =>
  [...text].some((character) => {
    const code = character.codePointAt(0) ?? 0;
    return (
      code < 0x20 ||
      (code >= 0x7f && code <= 0x9f) ||
      (code >= 0x200b && code <= 0x200f) ||
      (code >= 0x2028 && code <= 0x202e) ||
      (code >= 0x2060 && code <= 0x206f) ||
      (code >= 0xd800 && code <= 0xdfff) ||
      (code >= 0xe0000 && code <= 0xe007f) ||
      code === 0xfeff ||
      code === 0xad ||
      code === 0x061c
    );
  });

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        ...['\u001b[31m', '\u001b]0;t\u0007', '\u009b2J', '\u202e', '\u2066', '\u200b', '\ufeff', '\r', '\n'],
        ...['\t', '\ud800', '\u{e0041}', '\u{e0002}', '\u2065', 'a', 'ü', '日本', '👨‍👩‍👧'],
      ),
    )
    .map((parts) => parts.join('')),
);

test('removes every terminal control character from a line', () => {
  fc.assert(fc.property(anyText, (text) => !forbidden(neutralise(text))));
});

test('removes every terminal control character from lines, except line breaks', () => {
  fc.assert(fc.property(anyText, (text) => !forbidden(neutraliseLines(text).replaceAll('\n', ''))));
});

test('escapes control characters in JSON and keeps the parsed value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), anyText, (value, text) => {
      const safe = neutraliseJson(JSON.stringify({ value, [text]: text }));
      expect(forbidden(safe)).toBe(false);
      expect(JSON.parse(safe)).toEqual(JSON.parse(JSON.stringify({ value, [text]: text })));
    }),
  );
});

test('leaves ordinary text in any script unchanged', () => {
  for (const text of ['Zoë Łukasz', '日本語', 'مرحبا', 'नमस्ते', '🙂', '+15551234', 'a\\b "c"']) {
    expect(neutralise(text)).toBe(text);
    expect(isHarmful(text)).toBe(false);
  }
});

test('shows harmful characters as escapes', () => {
  expect(neutralise('a\u001b[2Jb\nc\u202ed')).toBe('a\\u001b[2Jb\\nc\\u202ed');
});
