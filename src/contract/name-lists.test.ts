import { expect, test } from 'vitest';
import { isKnownName, nearestName } from './name-lists.ts';

test('knows the time zones of the runtime and their aliases, case-sensitively', () => {
  for (const zone of ['Europe/Zurich', 'UTC', 'US/Eastern', 'Asia/Calcutta', 'Asia/Kolkata', 'Etc/GMT+5'])
    expect(isKnownName('time-zone', zone), zone).toBe(true);
  for (const none of ['Europe/Zurichh', 'europe/zurich', '+01:00', 'Mars', 'Zurich', ''])
    expect(isKnownName('time-zone', none), none).toBe(false);
  expect(nearestName('time-zone', 'Europe/Zurichh')).toBe('Europe/Zurich');
  expect(nearestName('time-zone', 'europe/zurich')).toBe('Europe/Zurich');
});

test('accepts a language with or without a country, in any case', () => {
  for (const language of ['en', 'en-US', 'en-us', 'de-CH', 'zh-Hans-CN', 'rm'])
    expect(isKnownName('language', language), language).toBe(true);
  for (const none of ['xx', 'en-XX', 'en_US', 'english', 'en-', ''])
    expect(isKnownName('language', none), none).toBe(false);
  expect(nearestName('language', 'en_US')).toBe('en-US');
  expect(nearestName('language', 'english')).toBeUndefined();
});
