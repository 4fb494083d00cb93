import { clearDoubt, createHint, Failure, nextStep, withHint } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Api } from '../../../client/api/api.ts';
import type { FactKeeper } from '../../../client/session/learned-facts.ts';
import { type Profile, readProfiles } from '../../../client/session/profile-store.ts';
import { readStoredKey, writeKey } from '../../../client/session/secret-sources.ts';
import { isSameOrigin } from '../../../client/session/settings.ts';
import { signIn } from '../../../client/session/sign-in.ts';
import { operationById } from '../../../contract/catalogue.ts';
import { masked } from '../../../contract/secrets.ts';
import type { Method, Operation } from '../../../contract/types.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { confirmChange, dryRunResult } from '../change.ts';
import { quotedAccount } from '../labels.ts';
import { readAfterChange } from '../operations/read-after-change.ts';

export const rotation: Operation = operationById('accounts.rotate-api-key');

/** The operation of compatible services that replaces an API key (Conventions, API keys). */
export const otherRotation: Operation = { ...rotation, method: 'PUT', source: 'convention' };

const rotationsFor = (facts: FactKeeper): readonly [Operation, Operation] =>
  facts.learned().rotatesKeysByPut ? [otherRotation, rotation] : [rotation, otherRotation];

/**
 * Replaces the account's API key, stores the new key in every profile that has the old one, and verifies that the
 * service refuses the old key. The new key is stored first, because the service shows it only once.
 */
export async function rotateApiKey(_: unknown, context: Context): Promise<Result> {
  const session = await context.session();
  const api = await context.api();
  const rotations = rotationsFor(session);
  const [operation] = rotations;
  if (context.options.dryRun) return dryRunResult(context, [{ call: { operation } }]);
  const { profile } = session;
  const oldKey = keyIn((await api.call({ operation: operationById('accounts.api-key') })).data);
  const holders = await profilesWithKey(context, profile.baseUrl, oldKey);
  const isOwn = (await context.accountId()) === profile.accountId;
  const name = await quotedAccount(context);
  if (isOwn) refuseUnstoredKey(context, profile, holders);
  const question = `Replace the API key of ${name}? Every other program that uses the key stops working immediately.`;
  await confirmChange(context, question, 'The API key was not replaced.');
  // The profiles must be writable, which is checked while the old key still works.
  for (const holder of holders) await writeKey(context.host, holder, oldKey);
  const { key, method } = await rotateKey(api, oldKey, rotations);
  const how =
    method === rotation.method
      ? ''
      : ` by ${method}, because the service does not support ${rotation.method}`;
  const done = `Replaced the API key of ${name}${how}.`;
  const stored: Profile[] = [];
  for (const holder of holders)
    await readAfterChange(context, done, async () => {
      await writeKey(context.host, holder, key);
      stored.push(holder);
    });
  await session.learn({ rotatesKeysByPut: method === otherRotation.method });
  if (isOwn) await readAfterChange(context, done, () => session.keyRotated(key));
  const isDead = await readAfterChange(context, done, () => isKeyRefused(context, profile.baseUrl, oldKey));
  if (isDead === false) context.notices.warn('The service still accepts the old key.');
  const isWhole = isDead !== false && stored.length === holders.length;
  return {
    ...(await rotationResult(context, key, { done, stored, isDead })),
    ...(isWhole ? {} : { exit: 'failed' }),
  };
}

/** Throws `usage` if the new key of the signed-in account would be neither stored nor printed. */
function refuseUnstoredKey({ options }: Context, { method }: Profile, holders: readonly Profile[]): void {
  if (method !== 'api-key' || holders.length > 0 || options.reveal) return;
  throw new Failure(
    'usage',
    'The new key could not be stored, because no profile on this machine stores the old key.',
    { hint: createHint`Pass --reveal to print the new key, or sign in with ${nextStep`login`} first.` },
  );
}

/** Formats the result. `isDead`: the service refuses the old key; `undefined` if that is unknown. */
async function rotationResult(
  context: Context,
  key: string,
  { done, stored, isDead }: { done: string; stored: readonly Profile[]; isDead: boolean | undefined },
): Promise<Result & { kind: 'item' | 'done' }> {
  const message = [
    done,
    ...(isDead ? ['The service refuses the old key.'] : []),
    stored.length === 0
      ? 'The new key is not stored on this machine.'
      : `The new key is stored in ${stored.map((holder) => `profile "${holder.name}"`).join(', ')}.`,
  ].join(' ');
  const value = {
    ...(await apiKeyValue(context, key)),
    old_key_refused: isDead ?? null,
    stored_for: stored.map((holder) => holder.name),
  };
  // People see the record only if it shows the key unmasked.
  return context.options.reveal
    ? { kind: 'item', message, value, named: key }
    : { kind: 'done', message, value };
}

/** Hint for a session that signed in with the old key, which cannot read the new one. */
const replacedUnseen = createHint`The service refuses the old key, so it was replaced. Sign in another way and read the new key: ${nextStep`accounts api-key show --reveal`}`;

/** Replaces the key. Returns the new key, which is read if the response was lost, and the method that was used. */
async function rotateKey(
  api: Api,
  oldKey: string,
  [operation, ...others]: readonly [Operation, ...Operation[]],
): Promise<{ readonly key: string; readonly method: Method }> {
  const { method } = operation;
  const [other] = others;
  try {
    return { key: keyIn((await api.call({ operation })).data), method };
  } catch (lost) {
    if (lost instanceof Failure && lost.status === 405 && other !== undefined)
      return rotateKey(api, oldKey, [other]);
    if (!(lost instanceof Failure) || !lost.inDoubt) throw lost;
    const now = await api.call({ operation: operationById('accounts.api-key') }).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      throw error.kind === 'auth' ? withHint(lost, replacedUnseen) : lost;
    });
    const key = keyIn(now.data);
    if (key === oldKey) throw clearDoubt(lost);
    return { key, method };
  }
}

async function profilesWithKey(
  { host, notices }: Context,
  baseUrl: string,
  apiKey: string,
): Promise<readonly Profile[]> {
  const profiles = [...readProfiles(host).profiles.values()].filter((each) =>
    isSameOrigin(each.baseUrl, baseUrl),
  );
  const keys = await Promise.all(profiles.map((profile) => readStoredKey(host, profile, notices.warn)));
  return profiles.filter((_, index) => keys[index] === apiKey);
}

async function isKeyRefused(context: Context, baseUrl: string, apiKey: string): Promise<boolean> {
  try {
    await signIn(context.sessionParts(), baseUrl, { kind: 'api-key', apiKey });
    return false;
  } catch (error) {
    if (error instanceof Failure && error.kind === 'auth') return true;
    throw error;
  }
}

/** Shows the account's API key, masked unless `--reveal` is set. */
export async function showApiKey(_: unknown, context: Context): Promise<Result> {
  const api = await context.api();
  const { data } = await api.call({ operation: operationById('accounts.api-key') });
  const apiKey = keyIn(data);
  return {
    kind: 'item',
    value: await apiKeyValue(context, apiKey),
    // A masked key is not a usable name.
    ...(context.options.reveal ? { named: apiKey } : {}),
  };
}

function keyIn(data: Json): string {
  if (isObject(data) && typeof data.api_key === 'string' && data.api_key !== '') return data.api_key;
  throw new Failure('failed', 'The response of the service has no API key.');
}

async function apiKeyValue(context: Context, apiKey: string): Promise<JsonObject> {
  if (context.options.reveal) context.notices.disclose([apiKey]);
  return {
    account_id: await context.accountId(),
    api_key: context.options.reveal ? apiKey : masked,
  };
}
