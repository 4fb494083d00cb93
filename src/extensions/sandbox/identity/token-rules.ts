import { isObject, type Json, objectsIn, ownValue, textsIn, valueAt } from '../../../base/json.ts';
import { operations } from '../../../contract/catalogue.ts';
import type { Operation } from '../../../contract/types.ts';
import { textsAt } from '../fields.ts';
import { Refusal } from '../refusal.ts';
import type { IncomingRequest } from '../request.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import { isAdministrator, type Principal } from './principal.ts';

/** First path segments. Token rules use them as keys. */
const endpoints = new Set(
  operations.flatMap(({ path }) => path.replace(/^\/accounts\/\{\w+\}(?=\/)/, '').split('/', 2)[1] ?? []),
);

/** Returns the last endpoint in a path, and the arguments after it. */
function endpointOf({ path }: Operation, params: IncomingRequest['params']) {
  const parts = path.split('/').filter(Boolean);
  const at = parts.findLastIndex((part) => endpoints.has(part));
  const args = parts.slice(at + 1).map((part) => params[part.slice(1, -1)] ?? part);
  return { endpoint: parts[at] ?? '', given: args };
}

/** Returns the rules of a key, or else the rules for all keys (`_`). */
const ruleFor = (rules: Json | undefined, key: string): Json | undefined =>
  isObject(rules) ? (ownValue(rules, key) ?? ownValue(rules, '_')) : undefined;

/** Matches the segments of a path against a pattern. `*` matches one segment, `#` matches any number. */
function matchesParts([first, ...rest]: readonly string[], given: readonly string[]): boolean {
  if (first === undefined) return given.length === 0;
  if (first === '#')
    return given.some((_, index) => matchesParts(rest, given.slice(index))) || matchesParts(rest, []);
  return given.length > 0 && (first === '*' || first === given[0]) && matchesParts(rest, given.slice(1));
}

/** Returns true if a rule applies to an account. A rule without a list applies to all. */
function listsAccount(
  listed: Json | undefined,
  caller: StoredRecord,
  account: StoredRecord | undefined,
): boolean {
  const isBelow = account !== undefined && textsAt(account.hidden, 'tree').includes(caller.id);
  const words = new Set([
    '_',
    account?.id,
    ...(isBelow ? ['{DESCENDANT_ACCOUNT_ID}'] : ['{AUTH_ACCOUNT_ID}']),
  ]);
  return listed === undefined || textsIn(listed).some((word) => words.has(word));
}

/**
 * Refuses (403) requests that the token restrictions of the caller's account do not allow. Rules are found by sign-in
 * method, level and endpoint. The first matching rule decides. Without a matching rule, the request is refused.
 */
export async function refuseRestricted(
  { params }: Pick<IncomingRequest, 'params'>,
  operation: Operation,
  caller: Principal,
  account: StoredRecord | undefined,
  store: Store,
): Promise<void> {
  const name = { kind: 'token_restrictions', scope: caller.account.id, id: 'token_restrictions' };
  const kept = await store.get(name);
  const ofMethod = ruleFor(kept && valueAt(kept.body, 'restrictions'), caller.method);
  const ofLevel = ruleFor(ofMethod, isAdministrator(caller) ? 'admin' : 'user');
  if (ofLevel === undefined) return;
  const { endpoint, given } = endpointOf(operation, params);
  const rule = objectsIn(ruleFor(ofLevel, endpoint)).find((each) =>
    listsAccount(each.allowed_accounts, caller.account, account),
  );
  const [, methods] =
    Object.entries(isObject(rule?.rules) ? rule.rules : {}).find(([pattern]) =>
      matchesParts(pattern.split('/').filter(Boolean), given),
    ) ?? [];
  if (textsIn(methods).some((each) => each === '_' || each === operation.method)) return;
  const message = 'The rules of tokens do not allow this.';
  throw new Refusal(403, 'forbidden', message, {
    message: 'forbidden',
    cause: 'access denied by token restrictions',
  });
}
