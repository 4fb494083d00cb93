import { expect, test } from 'vitest';
import { styles } from './styles.ts';

test('text has a contrast of at least 4.5:1 in light and dark mode', () => {
  const luminance = (colour: string): number => {
    const digits =
      colour.length === 4 ? [...colour.slice(1)].map((each) => each + each) : colour.slice(1).match(/../g);
    const [r = 0, g = 0, b = 0] = (digits ?? []).map((each) => {
      const part = Number.parseInt(each, 16) / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const colours = [...styles.matchAll(/:root\{([^}]*)\}/g)].map(
    ([, text = '']) =>
      new Map([...text.matchAll(/--([a-z]+):(#[0-9a-f]+)/g)].map(([, name, value]) => [name, value])),
  );
  expect(colours).toHaveLength(2);
  for (const theme of colours)
    for (const [text, back] of [
      ['text', 'back'],
      ['text', 'card'],
      ['dim', 'back'],
      ['dim', 'card'],
      ['dim', 'line'],
      ['accent', 'back'],
      ['accent', 'card'],
      ['accent', 'soft'],
      ['good', 'goodback'],
      ['warn', 'warnback'],
      ['bad', 'badback'],
      ['bad', 'card'],
      ['event', 'eventback'],
    ]) {
      const [one, other] = [text, back].map((name) => luminance(theme.get(name) ?? '#000000'));
      const ratio = (Math.max(one ?? 0, other ?? 0) + 0.05) / (Math.min(one ?? 0, other ?? 0) + 0.05);
      expect(ratio, `${text} on ${back}`).toBeGreaterThanOrEqual(4.5);
    }
});
