import { BlockList, isIP } from 'node:net';
import { isObject, type JsonObject, textOrEmpty } from '../base/json.ts';
import { samplePayload } from './hook-samples.ts';
import { objectModifiers, objectTypes } from './hooks.ts';
import { isSecretName, secretSegments } from './secrets.ts';

export interface WebhookFinding {
  readonly field: string;
  /** Follows the name of the webhook: `its address contains a password …`. */
  readonly message: string;
}

/** Allows addresses of this machine if the service is local. */
export function webhookFindings(
  { uri, hook, custom_data: custom }: JsonObject,
  { isLocal = false }: { readonly isLocal?: boolean } = {},
): readonly WebhookFinding[] {
  const url = URL.parse(textOrEmpty(uri));
  const inAddress = url === null ? [] : addressFindings(url, isLocal);
  const overwritten = isObject(custom) ? findOverwrittenKeys(textOrEmpty(hook), custom) : [];
  return [...inAddress, ...overwritten];
}

/** Warns if no operation changes the subscribed type of objects. */
export function findSilentType({ hook, custom_data: custom }: JsonObject): string | undefined {
  const type = hook === 'object' && isObject(custom) ? textOrEmpty(custom.type) : '';
  const fires = [...objectTypes.values()];
  return type === '' || type === 'all' || fires.some((each) => each === type)
    ? undefined
    : `nothing that telctl knows of the service changes a ${type}, so it may never be called (types that it knows to fire: ${fires.join(', ')})`;
}

function addressFindings(url: URL, isLocal: boolean): readonly WebhookFinding[] {
  const named = [...url.searchParams.keys()].filter(isSecretName);
  const shown = 'which lists and logs of the service show';
  const troubles = [
    [url.username !== '' || url.password !== '', `its address holds a user and a password, ${shown}`],
    [named.length > 0, `its address holds a secret ("${named.join('", "')}"), ${shown}`],
    [secretSegments(url.pathname).length > 0, `the path of its address looks like a secret, ${shown}`],
    [
      !isLocal && isPrivateHost(url.hostname),
      `its address, ${url.hostname}, is one that only a private network reaches`,
    ],
  ] as const;
  return troubles.flatMap(([isSo, message]) => (isSo ? [{ field: 'uri', message }] : []));
}

const ranges = new BlockList();
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::/127',
  'fc00::/7',
  'fe80::/10',
]) {
  const [address = '', bits] = range.split('/');
  ranges.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** Returns true for an address or a name that the public network cannot reach. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const family = isIP(host);
  if (family !== 0) return ranges.check(host, family === 4 ? 'ipv4' : 'ipv6');
  return /^localhost$|\.(?:localhost|local|internal|lan|home\.arpa)$/i.test(host);
}

/** Returns true for keys that select events. They are not part of the payload. */
const isChoosing = (hook: string, key: string): boolean =>
  (hook === 'object' || hook === 'notifications') && Object.hasOwn(objectModifiers, key);

/** Finds keys of the payload that custom data overwrites (Events, delivery rule 6). */
function findOverwrittenKeys(hook: string, custom: JsonObject): readonly WebhookFinding[] {
  const payload = samplePayload(hook, {
    accountId: '',
    timestamp: 0,
    newId: () => '',
    ...selectedTypes(custom),
  });
  return Object.keys(custom)
    .filter((key) => Object.hasOwn(payload, key) && !isChoosing(hook, key))
    .map((key) => ({
      field: 'custom_data',
      message: `custom_data.${key} overwrites what the event says under "${key}"`,
    }));
}

const selectedTypes = ({ type, action }: JsonObject) => ({
  ...(typeof type === 'string' && type !== 'all' ? { type } : {}),
  ...(typeof action === 'string' && action !== 'all' ? { action } : {}),
});

export interface PlacedWebhook {
  readonly record: JsonObject;
  readonly accountId: string;
  /** Ids of the known accounts above the webhook's account. */
  readonly above: readonly string[];
}

/** Returns webhooks that send the same events to the same address, including those for accounts below. */
export function duplicateWebhooks(
  one: PlacedWebhook,
  all: readonly PlacedWebhook[],
): readonly PlacedWebhook[] {
  const coversAccount = (from: PlacedWebhook, to: PlacedWebhook): boolean =>
    from.accountId === to.accountId ||
    (from.record.include_subaccounts === true && to.above.includes(from.accountId));
  if (one.record.enabled === false) return [];
  return all.filter(
    (other) =>
      other.record.id !== one.record.id &&
      other.record.enabled !== false &&
      other.record.uri === one.record.uri &&
      (other.record.hook === one.record.hook || other.record.hook === 'all' || one.record.hook === 'all') &&
      (coversAccount(one, other) || coversAccount(other, one)),
  );
}

export type WebhookState = 'enabled' | 'failing' | 'disabled';

/**
 * Milliseconds. After a failed attempt, a webhook is failing for this time if the service does not record successes.
 */
const failingMs = 15 * 60_000;

interface LastAttempt {
  readonly hasFailed: boolean;
  /** Time in Unix milliseconds. */
  readonly atMs: number;
}

/** Uses the last attempt. The time is in Unix milliseconds of the service's clock. */
export function webhookState(
  { enabled }: JsonObject,
  last: LastAttempt | undefined,
  nowMs: number,
): WebhookState {
  if (enabled === false) return 'disabled';
  return last?.hasFailed && nowMs - last.atMs < failingMs ? 'failing' : 'enabled';
}
