import { isObject, type Json, type JsonObject } from '../base/json.ts';

/** What a signed token says of itself, unchecked; `undefined` for text that is no signed token. */
export function claimsOf(token: string): JsonObject | undefined {
  const [, payload = ''] = token.split('.');
  try {
    const claims: Json = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}
