import { isObject } from '../../../base/json.ts';
import type { Seed } from '../../../sandbox/seed.ts';

const parts: readonly (keyof Seed)[] = [
  'masterAccountId',
  'superUsername',
  'superPassword',
  'accountId',
  'accountName',
  'accountRealm',
  'phoneNumber',
  'apiKey',
  'adminUsername',
  'adminPassword',
  'adminUserId',
];

/** Whom a sandbox was seeded with, as its files keep it; `undefined` for anything else. */
export function seedOf(value: unknown): Seed | undefined {
  const isWhole = isObject(value) && parts.every((part) => typeof value[part] === 'string');
  return isWhole ? (value as unknown as Seed) : undefined;
}

/** As `seedOf`, of a text; `undefined` where it is no JSON, too. */
export function parseSeed(text: string): Seed | undefined {
  try {
    return seedOf(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
