import type { Json } from './json.ts';
import { mapValue } from './map-value.ts';
import type { Schema } from './schema-node.ts';

/** What stands where a secret is not shown; says neither length nor beginning. */
export const masked = '••••••';

/**
 * A URL without what may be secret in it: user, password, the values of the query, and the fragment. Text that is
 * no URL is masked as a whole.
 */
export function maskedUrl(url: string): string {
  if (url === '') return url;
  const parts = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(url);
  if (parts === null) return masked;
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = parts;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const user = host === authority ? '' : `${masked}@`;
  return `${scheme}${user}${host}${path}${query.length > 1 ? `?${masked}` : ''}${fragment.length > 1 ? `#${masked}` : ''}`;
}

const isNothing = (value: Json | undefined) => value === null || value === undefined || value === '';

/**
 * A copy of a value with its secrets masked, by its schema: secret fields, and URLs that may carry one. Absent,
 * `null` and empty secrets stay as they are, so that one can see that none is set. Keys that the schema does not
 * know are left alone.
 */
export function redact(schema: Schema, value: Json): Json {
  return mapValue(schema, value, (node, here) => {
    if (node['x-secret'] === true) return isNothing(here) ? here : masked;
    return typeof here === 'string' && node['x-secret-bearing'] === true ? maskedUrl(here) : undefined;
  });
}
