import { expect, test } from 'vitest';
import { isColored, styleFor } from './style.ts';

test.each([
  ['auto', {}, true, true],
  ['auto', {}, false, false],
  ['auto', { NO_COLOR: '1' }, true, false],
  ['auto', { NO_COLOR: '' }, true, true],
  ['auto', { NO_COLOR: '1', CLICOLOR_FORCE: '1' }, true, false],
  ['auto', { CLICOLOR_FORCE: '1' }, false, true],
  ['auto', { CLICOLOR_FORCE: '0' }, false, false],
  ['auto', { TERM: 'dumb' }, true, false],
  ['always', { NO_COLOR: '1' }, false, true],
  ['never', { CLICOLOR_FORCE: '1' }, true, false],
] as const)('applies --color %s with environment %o and terminal %s', (when, env, terminal, coloured) => {
  expect(isColored(when, env, terminal)).toBe(coloured);
});

test('adds color codes only if colors are on', async () => {
  const style = await styleFor(true);
  expect(style.bad('no')).toBe('\u001b[31mno\u001b[39m');
  expect((await styleFor(false)).bad('no')).toBe('no');
});
