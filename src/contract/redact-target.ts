import { masked } from './secrets.ts';
import type { Operation } from './types.ts';

/** Names of query parameters that hold secrets in requests that the contract does not describe. */
const secretNames =
  /token|secret|password|credential|api_?key|authorization|custom_data|account_number|^code$|^state$|(?:^|[_.])pins?$/i;

/** True for the name of a query parameter that most likely holds a secret. */
export const isSecretName = (name: string): boolean =>
  secretNames.test(name) || /(?:^|[_.-])key$/i.test(name);

/** A segment that looks like a token (three parts of base64url) or an API key (64 hexadecimal digits). */
const secretSegment = /^(?:[\w-]{8,}\.[\w-]{8,}\.[\w-]*|[0-9a-f]{64})$/i;

/** The name of a parameter as the service reads it; as it is written where nobody can read it. */
function plain(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Path and query as they may be shown: values of secret parameters and what looks like a token are masked. */
export function redactTarget(path: string, search: string, operation?: Operation): string {
  const shownPath = path
    .split('/')
    .map((segment) => (secretSegment.test(segment) ? masked : segment))
    .join('/');
  if (search === '') return shownPath;
  const declared = new Set(operation?.query?.filter(({ secret }) => secret).map(({ name }) => name));
  const shownQuery = search
    .slice(1)
    .split('&')
    .map((pair) => {
      const [written = ''] = pair.split('=', 1);
      const name = plain(written);
      return declared.has(name) || secretNames.test(name) ? `${written}=${masked}` : pair;
    })
    .join('&');
  return `${shownPath}?${shownQuery}`;
}
