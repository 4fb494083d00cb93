import { mapWithConcurrency } from '../../../base/concurrency.ts';
import { Failure, ignoreMissing } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import { operations } from '../../../contract/catalogue.ts';
import { channels } from '../../../contract/resources/channels.ts';
import { webhooks } from '../../../contract/resources/webhooks.ts';
import type { Column } from '../../../contract/types.ts';
import type { Context } from '../../command/context.ts';
import type { Result, Screen } from '../../command/result.ts';
import { channelChanges, legsNow } from '../channels/commands.ts';
import { flattenPages } from '../generic/list.ts';
import { operationFor, pathTo } from '../records/find-named.ts';
import { namesById } from '../records/read-account.ts';
import { failureReason, hasFailed, latestAttempts } from '../webhooks/health/attempts.ts';
import {
  agreeToWebhooks,
  chooseRefresh,
  plannedWebhooks,
  type Refresh,
  requestedAddress,
  type WatchInput,
} from './refresh.ts';

type Legs = ReadonlyMap<string, JsonObject>;

interface Snapshot {
  readonly at: string;
  readonly legs: Legs;
  /** `undefined` if the service does not report it. */
  readonly registered: number | undefined;
  readonly failing: ReadonlyMap<string, string>;
}

async function countRegistrations(api: Api): Promise<number | undefined> {
  const operation = operations.find(({ id }) => id === 'registrations.count');
  if (!operation) return undefined;
  const { data } = await api.call({ operation });
  return isObject(data) && typeof data.count === 'number' ? data.count : undefined;
}

async function failingWebhooks(api: Api): Promise<ReadonlyMap<string, string>> {
  const { data } = await api.call({ operation: operationFor(webhooks, 'attempts-all') });
  const latest = latestAttempts(data);
  const failing = new Map<string, string>();
  for await (const { id, name, enabled, disable_reason: reason } of flattenPages(
    api.pages({ operation: operationFor(webhooks, 'list') }),
  )) {
    const last = latest.get(String(id));
    const isDisabled = enabled === false && typeof reason === 'string';
    if (isDisabled) failing.set(String(name ?? id), `disabled: ${reason}`);
    else if (last && hasFailed(last)) failing.set(String(name ?? id), failureReason(last));
  }
  return failing;
}

/** Adds the caller to live legs, which lists omit. Reads each leg once, when it appears. */
function callerReader(api: Api, context: Context): (legs: Legs) => Promise<Legs> {
  const callers = new Map<string, JsonObject>();
  let names: ReturnType<typeof namesById> | undefined;
  const legCaller = async (id: string): Promise<JsonObject> => {
    const known = callers.get(id);
    if (known) return known;
    const call = { operation: operationFor(channels, 'get'), path: pathTo(channels, id) };
    const data = (await ignoreMissing(api.call(call)))?.data;
    const { caller_id_name: name, caller_id_number: number } = isObject(data) ? data : {};
    const caller = {
      ...(name ? { caller_id_name: name } : {}),
      ...(number ? { caller_id_number: number } : {}),
    };
    callers.set(id, caller);
    return caller;
  };
  return async (legs) => {
    const whole = await mapWithConcurrency(
      [...legs],
      context.settings.concurrency.value,
      async ([id, leg]) => {
        const { owner_id: owner } = leg;
        if (typeof owner === 'string') names ??= namesById(context, 'users');
        const user = typeof owner === 'string' ? (await names)?.get(owner) : undefined;
        return [id, { ...leg, ...(await legCaller(id)), ...(user === undefined ? {} : { user }) }] as const;
      },
    );
    return new Map(whole);
  };
}

async function takeSnapshot(
  api: Api,
  nowMs: number,
  named: (legs: Legs) => Promise<Legs>,
): Promise<Snapshot> {
  const [legs, registered, failing] = await Promise.all([
    ignoreMissing(legsNow(api, { operation: operationFor(channels, 'list') }).then(named)),
    ignoreMissing(countRegistrations(api)),
    ignoreMissing(failingWebhooks(api)),
  ]);
  const at = new Date(api.serviceNowMs() ?? nowMs).toISOString();
  return { at: `${at.slice(0, 19)}Z`, legs: legs ?? new Map(), registered, failing: failing ?? new Map() };
}

/** `trouble`: the error of the last refresh. The other fields are from the refresh before. */
type ShownSnapshot = Snapshot & { readonly refreshed: string; readonly trouble?: string };

/** Returns the last data with the error if a retry may succeed. Throws errors of the first refresh. */
function keepLastSnapshot(error: unknown, last: Snapshot | undefined): Omit<ShownSnapshot, 'refreshed'> {
  const isPassing = error instanceof Failure && !['auth', 'usage', 'interrupted'].includes(error.kind);
  if (last === undefined || !isPassing) throw error;
  return { ...last, trouble: error.message };
}

async function* snapshots(
  input: WatchInput,
  context: Context,
  ended: AbortSignal,
  begins: (words: string) => void = () => undefined,
): AsyncGenerator<ShownSnapshot> {
  const { host } = context;
  const api = await context.api();
  const named = callerReader(api, context);
  let refresh: Refresh | undefined;
  let last: Snapshot | undefined;
  try {
    refresh = await chooseRefresh(input, context, ended);
    begins(refresh.words);
    while (!ended.aborted) {
      const now: Omit<ShownSnapshot, 'refreshed'> = await takeSnapshot(api, host.clock.now(), named).catch(
        (error: unknown) => keepLastSnapshot(error, last),
      );
      const { trouble: _, ...seen } = now;
      last = seen;
      yield { ...now, refreshed: refresh.words };
      await refresh.next();
    }
  } catch (error) {
    if (!ended.aborted) throw error;
  } finally {
    await refresh?.close();
  }
}

/** In raw mode, the terminal sends Ctrl-C as a key. */
const quitKeys = ['q', 'Q', '\u0003'];

/** Aborts on Ctrl-C and on the key `q`. The terminal sends each key immediately until `close`. */
export function quitKey({ stdin, interrupted }: Pick<Host, 'stdin' | 'interrupted'>) {
  const quit = new AbortController();
  if (!stdin.isTTY) return { ended: interrupted, close: () => undefined };
  const onData = (chunk: Buffer | string): void => {
    if (quitKeys.some((key) => String(chunk).includes(key))) quit.abort();
  };
  stdin.setRawMode?.(true);
  stdin.on('data', onData);
  stdin.resume();
  const close = (): void => {
    stdin.removeListener('data', onData);
    stdin.pause();
    stdin.setRawMode?.(false);
  };
  return { ended: AbortSignal.any([interrupted, quit.signal]), close };
}

function* eventsBetween(before: ShownSnapshot | undefined, now: ShownSnapshot): Generator<JsonObject> {
  const { at, trouble } = now;
  if (trouble !== undefined && trouble !== before?.trouble)
    yield { at, what: 'refresh fails', about: trouble };
  for (const change of channelChanges(before?.legs ?? new Map(), now.legs))
    yield { at, what: `leg ${change.event}`, about: legInWords(change), ...change };
  if (now.registered !== undefined && now.registered !== before?.registered)
    yield { at, what: 'registered', about: formatCount(now.registered, 'phone'), count: now.registered };
  for (const [name, reason] of now.failing)
    if (before?.failing.get(name) !== reason)
      yield { at, what: 'webhook fails', about: `${name}: ${reason}`, webhook: name, reason };
  for (const name of before?.failing.keys() ?? [])
    if (!now.failing.has(name)) yield { at, what: 'webhook works', about: name, webhook: name };
}

const legCells = (leg: JsonObject): readonly string[] => {
  const { caller_id_number: number, caller_id_name: name, user } = leg;
  return [
    String(leg.direction ?? ''),
    `from ${number ?? '?'}${name === undefined || name === number ? '' : ` ${JSON.stringify(name)}`}`,
    `to ${leg.destination ?? '?'}${user === undefined ? '' : ` (${String(user)})`}`,
    leg.answered === true ? 'answered' : 'ringing',
    `${leg.elapsed_s ?? 0} s`,
    String(leg.uuid ?? ''),
  ];
};

const legInWords = (leg: JsonObject): string =>
  legCells(leg)
    .filter((cell) => cell !== '')
    .join('  ');

/** The newest legs are first. */
function snapshotScreen({ at, legs, registered, failing, refreshed, trouble }: ShownSnapshot): Screen {
  const phones = registered === undefined ? '' : `   ${formatCount(registered, 'phone')} registered`;
  return {
    top: [`${at}   ${formatCount(legs.size, 'live leg')}${phones}   q quits`, trouble ?? refreshed],
    parts: [
      {
        title: 'Live calls',
        rows: [...legs.values()]
          .sort((a, b) => Number(a.elapsed_s ?? 0) - Number(b.elapsed_s ?? 0))
          .map(legCells),
        none: 'no live calls',
      },
      { title: 'Failing webhooks', rows: [...failing], none: 'none' },
    ],
  };
}

const columns: readonly Column[] = [
  { header: 'TIME', paths: ['at'] },
  { header: 'WHAT', paths: ['what'] },
  { header: 'ABOUT', paths: ['about'], show: 'sentence' },
];
const widths = [20, 13];

/** Watches an account: shows a screen at a terminal, otherwise prints changes as lines. */
export async function watchAccount(input: WatchInput, context: Context): Promise<Result> {
  const asked = await requestedAddress(input, context);
  if (asked && context.options.dryRun) return plannedWebhooks(context, input, asked.publicUrl);
  if (asked) await agreeToWebhooks(context);
  async function* events(): AsyncGenerator<JsonObject> {
    let before: ShownSnapshot | undefined;
    const { interrupted } = context.host;
    for await (const now of snapshots(input, context, interrupted, (words) => context.notices.say(words))) {
      yield* eventsBetween(before, now);
      before = now;
    }
  }
  async function* screens(): AsyncGenerator<Screen> {
    const { ended, close } = quitKey(context.host);
    try {
      for await (const now of snapshots(input, context, ended)) yield snapshotScreen(now);
    } finally {
      close();
    }
  }
  return { kind: 'list', items: events(), screens: screens(), columns, live: widths, noun: 'events' };
}
