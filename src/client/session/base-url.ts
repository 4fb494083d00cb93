import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';

/**
 * A service's address as it is kept: no slash, query or version prefix at its end, and with
 * the scheme that people leave out. Throws `Failure` (`usage`) for
 * text that is no http address, and for one with a user or password in it.
 */
export function normaliseBaseUrl(text: string, from: string): string {
  const wrong = (why: string) =>
    new Failure('usage', `${from} ${why}.`, { hint: 'Give the address of the service: https://api.example' });
  const trimmed = withScheme(text.trim());
  if (!URL.canParse(trimmed)) throw wrong('is not an address');
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw wrong('is neither https nor http');
  if (url.username !== '' || url.password !== '')
    throw wrong('holds a user or password; telctl sends none that way');
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v2$/, '')}`;
}

/** `localhost:8000`, `api.example`: a host without the word before it, as people type it. */
const bareHost = /^(localhost|[\w-]+(?:\.[\w-]+)+|\[[\da-f:]+\]|[\w-]+(?=:\d))(?::\d{1,5})?(?:\/\S*)?$/i;
/** Hosts of this machine, which seldom have a certificate. */
const ownHost = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i;

/** An address with what was left out before its host: http for this machine, https for every other. */
function withScheme(text: string): string {
  const host = bareHost.exec(text)?.[1];
  return host === undefined ? text : `${ownHost.test(host) ? 'http' : 'https'}://${text}`;
}

/** Tells whether the secrets of the environment may be sent to a service: where it names one, to no other. */
export const isEnvironmentFor = ({ TELCTL_BASE_URL: named }: Host['env'], baseUrl: string): boolean =>
  !named || isSameOrigin(normaliseBaseUrl(named, 'TELCTL_BASE_URL'), baseUrl);

/**
 * Tells whether two addresses have the same scheme, host and port: then the secrets of one may be sent to the other.
 */
export function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}
