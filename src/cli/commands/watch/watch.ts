import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { counted } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import { operations } from '../../../contract/catalogue.ts';
import { channels } from '../../../contract/resources/channels.ts';
import { webhooks } from '../../../contract/resources/webhooks.ts';
import type { Column } from '../../../contract/types.ts';
import type { Context } from '../../command/context.ts';
import type { Result, Screen } from '../../command/result.ts';
import { changesOf, legsNow } from '../channels/list.ts';
import { operationFor } from '../generic/find-named.ts';
import { flattened } from '../generic/list.ts';
import { hasFailed, reasonOf } from '../webhooks/health/webhook-health.ts';
import {
  agreeToWebhooks,
  askedAddress,
  type Input,
  plannedWebhooks,
  type Refresh,
  refreshFor,
} from './refresh.ts';

/** What one look at an account found. */
interface Look {
  readonly at: string;
  readonly legs: ReadonlyMap<string, JsonObject>;
  /** `undefined`: the service does not tell. */
  readonly registered: number | undefined;
  /** Reasons why webhooks fail, by name. */
  readonly failing: ReadonlyMap<string, string>;
}

/** The answer of a read that a service may lack. Throws every other `Failure`. */
async function ifOffered<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Failure && error.kind === 'not_found') return undefined;
    throw error;
  }
}

async function countRegistrations(api: Api): Promise<number | undefined> {
  const operation = operations.find(({ id }) => id === 'registrations.count');
  if (!operation) return undefined;
  const { data } = await api.call({ operation });
  return isObject(data) && typeof data.count === 'number' ? data.count : undefined;
}

/** Webhooks that are disabled, or whose newest delivery failed, with the reason. */
async function failingWebhooks(api: Api): Promise<ReadonlyMap<string, string>> {
  const newest = new Map<unknown, JsonObject>();
  const { data } = await api.call({ operation: operationFor(webhooks, 'attempts-all') });
  for (const each of Array.isArray(data) ? data.filter(isObject) : [])
    if (!newest.has(each.hook_id)) newest.set(each.hook_id, each);
  const failing = new Map<string, string>();
  for await (const { id, name, enabled, disable_reason: reason } of flattened(
    api.pages({ operation: operationFor(webhooks, 'list') }),
  )) {
    const last = newest.get(id);
    const isDisabled = enabled === false && typeof reason === 'string';
    if (isDisabled) failing.set(String(name ?? id), `disabled: ${reason}`);
    else if (last && hasFailed(last)) failing.set(String(name ?? id), reasonOf(last));
  }
  return failing;
}

async function look(api: Api, nowMs: number): Promise<Look> {
  const [legs, registered, failing] = await Promise.all([
    ifOffered(() => legsNow(api, { operation: operationFor(channels, 'list') })),
    ifOffered(() => countRegistrations(api)),
    ifOffered(() => failingWebhooks(api)),
  ]);
  const at = new Date(api.serviceNowMs() ?? nowMs).toISOString();
  return { at: `${at.slice(0, 19)}Z`, legs: legs ?? new Map(), registered, failing: failing ?? new Map() };
}

/** A look, and how it is refreshed. */
type Shown = Look & { readonly refreshed: string };

/** Looks whenever it is time to, until Ctrl-C. `begins` hears how it is refreshed. */
async function* looks(
  input: Input,
  context: Context,
  begins: (words: string) => void,
): AsyncGenerator<Shown> {
  const { host } = context;
  const api = await context.api();
  let refresh: Refresh | undefined;
  try {
    refresh = await refreshFor(input, context);
    begins(refresh.words);
    while (!host.interrupted.aborted) {
      yield { ...(await look(api, host.clock.now())), refreshed: refresh.words };
      await refresh.next();
    }
  } catch (error) {
    if (!host.interrupted.aborted) throw error;
  } finally {
    await refresh?.close();
  }
}

/** What changed from one look to the next. */
function* eventsBetween(before: Look | undefined, now: Look): Generator<JsonObject> {
  const { at } = now;
  for (const change of changesOf(before?.legs ?? new Map(), now.legs))
    yield { at, what: `leg ${change.event}`, about: legInWords(change), ...change };
  if (now.registered !== undefined && now.registered !== before?.registered)
    yield { at, what: 'registered', about: counted(now.registered, 'phone'), count: now.registered };
  for (const [name, reason] of now.failing)
    if (before?.failing.get(name) !== reason)
      yield { at, what: 'webhook fails', about: `${name}: ${reason}`, webhook: name, reason };
  for (const name of before?.failing.keys() ?? [])
    if (!now.failing.has(name)) yield { at, what: 'webhook works', about: name, webhook: name };
}

const legCells = ({
  direction,
  destination,
  answered,
  elapsed_s: seconds,
  uuid,
}: JsonObject): readonly string[] => [
  String(direction ?? ''),
  `to ${destination ?? '?'}`,
  answered === true ? 'answered' : 'ringing',
  `${seconds ?? 0} s`,
  String(uuid ?? ''),
];

const legInWords = (leg: JsonObject): string =>
  legCells(leg)
    .filter((cell) => cell !== '')
    .join('  ');

/** The whole of a look, for a screen: the newest legs first. */
function screenOf({ at, legs, registered, failing, refreshed }: Shown): Screen {
  const phones = registered === undefined ? '' : `   ${counted(registered, 'phone')} registered`;
  return {
    top: [`${at}   ${counted(legs.size, 'live leg')}${phones}   Ctrl-C ends this`, refreshed],
    parts: [
      {
        title: 'Live calls',
        rows: [...legs.values()]
          .sort((a, b) => Number(a.elapsed_s ?? 0) - Number(b.elapsed_s ?? 0))
          .map(legCells),
        none: 'nobody is on the phone',
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

/** Watches an account: a screen at a terminal, lines of what changes elsewhere. */
export async function watchAccount(input: Input, context: Context): Promise<Result> {
  const asked = await askedAddress(input, context);
  if (asked && context.options.dryRun) return plannedWebhooks(context, input, asked.publicUrl);
  if (asked) await agreeToWebhooks(context);
  async function* events(): AsyncGenerator<JsonObject> {
    let before: Look | undefined;
    for await (const now of looks(input, context, (words) => context.notices.say(words))) {
      yield* eventsBetween(before, now);
      before = now;
    }
  }
  async function* screens(): AsyncGenerator<Screen> {
    for await (const now of looks(input, context, () => undefined)) yield screenOf(now);
  }
  return { kind: 'list', items: events(), screens: screens(), columns, live: widths, noun: 'events' };
}
