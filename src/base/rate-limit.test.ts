import { expect, test } from 'vitest';
import { parseRateLimit } from './rate-limit.ts';

test.each([
  ['10/s:100', { burst: 100, amount: 1, everyMs: 100 }],
  ['10/s', { burst: 10, amount: 1, everyMs: 100 }],
  ['30/m', { burst: 30, amount: 1, everyMs: 2000 }],
  ['0.5/s', { burst: 1, amount: 1, everyMs: 2000 }],
])('parses %s as a rate limit', (text, allowance) => {
  expect(parseRateLimit(text)).toEqual({ text, ...allowance });
});

test.each(['', '10', '10/d', '0/s', '10/s:0', '10/s:', '-1/s', '10/s:1.5', 's', '10 /s'])(
  'rejects %j as a rate limit',
  (text) => {
    expect(parseRateLimit(text)).toBeUndefined();
  },
);
