import { expect, test } from 'vitest';
import { fileNameOf } from './service-files.ts';

test.each([
  ['Closed at night', 'Closed-at-night'],
  ['../../etc/passwd', '-..-etc-passwd'],
  ['CON', '_CON'],
  ['nul.mp3', '_nul.mp3'],
  ['lpt1', '_lpt1'],
  ['console', 'console'],
])('saves a record named %s as %s', (name, file) => {
  expect(fileNameOf({ name, id: 'a' })).toBe(file);
});
