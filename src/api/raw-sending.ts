import { Failure } from '../base/failure.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { acceptance } from '../contract/acceptance.ts';
import type { RawCall } from './api.ts';
import { searchOf } from './build-request.ts';
import type { Sending } from './client.ts';
import { RequestBody } from './request-body.ts';

/**
 * A request by method and path, as typed. Refuses (`usage`) a path that would lead away from the service or out of
 * itself.
 */
export function rawSending(baseUrl: string, call: RawCall): Sending {
  const method = call.method.toUpperCase();
  const isRead = method === 'GET' || method === 'HEAD';
  const { path, search } = targetOf(baseUrl, call);
  refuseAcceptance(search, call.body);
  return {
    method,
    path,
    search,
    body: call.body && RequestBody.of(call.body),
    headers: call.headers ?? {},
    effect: isRead ? 'read' : method === 'DELETE' ? 'destructive' : 'write',
    repeat: isRead ? 'safe' : 'never',
    authenticated: true,
    expected: { mayBeEmpty: true, mayBeText: true },
  };
}

/** Refuses (`usage`) a request that accepts charges by itself, before anybody has seen them. */
function refuseAcceptance(search: string, body: JsonObject | undefined): void {
  const { data } = body ?? {};
  const isInBody = [body, data].some((part) => isObject(part) && Object.hasOwn(part, acceptance));
  if (!isInBody && !new URLSearchParams(search).has(acceptance)) return;
  throw new Failure('usage', `A request cannot accept charges by itself: leave ${acceptance} out.`, {
    hint: 'The charges are shown first; --accept-charges or --accept-charges-up-to AMOUNT accepts them.',
  });
}

function targetOf(baseUrl: string, call: RawCall): Pick<Sending, 'path' | 'search'> {
  const wrong = (why: string) =>
    new Failure('usage', `The path ${JSON.stringify(call.path)} ${why}.`, {
      hint: 'Give a path from the root of the service: /v2/accounts/ACCOUNT_ID/users',
    });
  if (!/^\/(?!\/)/.test(call.path)) throw wrong('does not begin with one slash');
  const base = new URL(baseUrl);
  const folder = base.pathname.replace(/\/$/, '');
  const url = new URL(`${base.origin}${folder}${call.path}`);
  if (url.origin !== base.origin) throw wrong('leads to another host');
  const [typed = ''] = call.path.split(/[?#]/, 1);
  if (typed.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    throw wrong('holds "." or ".."');
  const more = searchOf(call.query);
  const search = url.search === '' ? more : more === '' ? url.search : `${url.search}&${more.slice(1)}`;
  return { path: url.pathname.slice(folder.length), search };
}
