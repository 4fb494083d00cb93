import { Failure } from '../../base/failure.ts';
import { operationIn } from '../../contract/resource.ts';
import { metaflows } from '../../contract/resources/metaflows.ts';
import { createApi } from '../api/create-api.ts';
import { apiPartsFor, type Speaking } from './session.ts';
import type { SignedIn } from './sign-in.ts';

const candidates = ['/v2', ''] as const;

/**
 * Finds what stands before the account resources' paths, which the specification writes without prefix (Versioning
 * 3), by reading the one of them that every account has. Where neither way leads there, it is `/v2`.
 */
export async function detectPrefix(
  parts: Speaking,
  baseUrl: string,
  { token, who }: SignedIn,
): Promise<'/v2' | ''> {
  const headers = { 'x-auth-token': token.token };
  for (const prefix of candidates) {
    const api = createApi(await apiPartsFor(parts, { baseUrl, prefix, accountId: who.accountId, headers }));
    try {
      await api.call({ operation: operationIn(metaflows, 'get') });
      return prefix;
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
      if (isRouted(error)) return prefix;
    }
  }
  return '/v2';
}

/** Tells whether a refusal comes from the operation itself, so that the path led to it. */
function isRouted({ status }: Failure): boolean {
  return status !== undefined && ![404, 405, 410].includes(status) && !(status >= 300 && status < 400);
}

/** The path prefix that a word means: `/v2`, or nothing for `none`. Throws `Failure` (`usage`) for other words. */
export function prefixOf(word: string, from: string): '/v2' | '' {
  switch (word.replace(/^\//, '')) {
    case 'v2':
      return '/v2';
    case 'none':
    case '':
      return '';
    default:
      throw new Failure('usage', `${from} says "${word}"; a prefix is /v2 or none.`);
  }
}
