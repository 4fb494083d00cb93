import { isObject, type Json } from '../base/json.ts';
import { decodeUrlPart } from '../base/wording.ts';
import { mapValue } from './map-value.ts';
import { findChildNode, resolveReference, type Schema, type SchemaNode } from './schema-node.ts';
import type { Operation } from './types.ts';

/** Reveals neither the length nor the first characters. */
export const masked = '••••••';

/** A secret follows these words in a path. */
const announces = /^(?:token|secret|key|api[_-]?key|auth|password)s?$/i;

/** Returns true for a UUID, or at least 16 mixed letters and digits. */
const isRandom = (segment: string): boolean =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(segment) ||
  segment
    .split(/[^0-9A-Za-z]+/)
    .some((word) => word.length >= 16 && /\d/.test(word) && /[A-Za-z]/.test(word));

/** Returns true for probable secrets in addresses of receivers: `/services/T0/B0/x8Hq…`. */
const isSecretSegment = (segment: string, index: number, all: readonly string[]): boolean =>
  segment !== '' && (isRandom(segment) || announces.test(all[index - 1] ?? ''));

export const secretSegments = (path: string): readonly string[] => path.split('/').filter(isSecretSegment);

/** Masks user, password, random parts of the path, query and fragment. Masks other text completely. */
export function maskUrl(url: string): string {
  if (url === '') return url;
  const parts = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(url);
  if (parts === null) return masked;
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = parts;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const user = host === authority ? '' : `${masked}@`;
  const shown = path
    .split('/')
    .map((part, index, all) => (isSecretSegment(part, index, all) ? masked : part));
  return `${scheme}${user}${host}${shown.join('/')}${query.length > 1 ? `?${masked}` : ''}${fragment.length > 1 ? `#${masked}` : ''}`;
}

const isNothing = (value: Json | undefined) => value === null || value === undefined || value === '';

/**
 * Masks secret fields, and URLs that can contain a secret. Absent, `null` and empty secrets are unchanged, to show
 * that none is set. Unknown keys are unchanged.
 */
export function redact(schema: Schema, value: Json): Json {
  return mapValue(schema, value, maskNode, mayBeSecret);
}

export function listSecrets(schema: Schema, value: Json): readonly string[] {
  const found: string[] = [];
  const collect = (secret: Json): void => {
    if (typeof secret === 'string' || typeof secret === 'number') found.push(String(secret));
    else if (typeof secret === 'object' && secret !== null)
      for (const each of Object.values(secret)) collect(each ?? null);
  };
  mapValue(
    schema,
    value,
    (node, here) => {
      const instead = maskNode(node, here);
      if (instead === undefined || instead === here) return undefined;
      if (isObject(here) && isObject(instead)) {
        for (const [key, each] of Object.entries(here)) if (instead[key] !== each) collect(each ?? null);
      } else collect(here);
      return here;
    },
    mayBeSecret,
  );
  return found;
}

/** Removes secret fields, for readers who may not know that they exist. */
export function withoutSecrets(schema: Schema, value: Json): Json {
  const isSecret = (child: SchemaNode | undefined): boolean =>
    child !== undefined && resolveReference(schema, child)['x-secret'] === true;
  const omitSecretFields = (node: SchemaNode, here: Json): Json | undefined => {
    if (!isObject(here)) return undefined;
    const kept = Object.entries(here).filter(([key]) => !isSecret(findChildNode(schema, node, key)));
    if (kept.length === Object.keys(here).length) return undefined;
    return mapValue(schema, Object.fromEntries(kept), omitSecretFields, undefined, node);
  };
  return mapValue(schema, value, omitSecretFields);
}

const mayBeSecret = (node: SchemaNode): boolean =>
  node['x-secret'] === true || node['x-secret-bearing'] === true;

function maskNode(node: SchemaNode, here: Json): Json | undefined {
  if (node['x-secret'] === true) return isNothing(here) ? here : maskSecret(here, node['x-open-keys']);
  return typeof here === 'string' && node['x-secret-bearing'] === true ? maskUrl(here) : undefined;
}

/** In a map with open keys, only other values are masked. */
function maskSecret(secret: Json, open: readonly string[] | undefined): Json {
  const shown = open?.filter((key) => isObject(secret) && typeof secret[key] === 'string') ?? [];
  if (!isObject(secret) || shown.length === 0) return masked;
  return Object.fromEntries(
    Object.entries(secret).map(([key, value]) => [key, shown.includes(key) ? value : masked]),
  );
}

/** Query parameters with secrets, in requests that the contract does not describe. */
const secretNames =
  /token|secret|passw|pwd|credential|authorization|signature|assertion|session|custom_data|account_number|^(?:auth|code|jwt|nonce|otp|sig|state)$|(?:^|[_.])pins?$|(?:^|[_.-]|api)key$/i;
/** Positions in lists, whose names end like those of secrets. */
const placeNames = /^(?:next_)?(?:start|end)_key$/;

export const isSecretName = (name: string): boolean => secretNames.test(name) && !placeNames.test(name);

/** A token (three parts of base64url) or an API key (64 hexadecimal digits). */
const secretSegment = /^(?:[\w-]{8,}\.[\w-]{8,}\.[\w-]*|[0-9a-f]{64})$/i;

/** Masks secret parameters and tokens. */
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
      const name = decodeUrlPart(written);
      return declared.has(name) || isSecretName(name) ? `${written}=${masked}` : pair;
    })
    .join('&');
  return `${shownPath}?${shownQuery}`;
}
