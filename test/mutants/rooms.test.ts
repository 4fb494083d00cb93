import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rooms } from './rooms.ts';

const all = Object.values(rooms).flatMap(({ faults }) => faults);

test.each(Object.entries(rooms))(
  'the faults of %s stand in the source as they are',
  (_, { faults, tests }) => {
    for (const path of tests) expect(existsSync(path), path).toBe(true);
    for (const { what, file, text, instead } of faults) {
      expect(readFileSync(file, 'utf8').split(text).length - 1, `${what}: ${file}: ${text}`).toBe(1);
      expect(instead).not.toBe(text);
    }
  },
);

test('no fault stands there twice', () => {
  const places = all.map(({ file, text, instead }) => `${file}\n${text}\n${instead}`);
  expect(new Set(places).size).toBe(places.length);
});
