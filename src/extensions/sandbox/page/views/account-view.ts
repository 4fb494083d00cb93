import { isObject, textAt } from '../../../../base/json.ts';
import { formatCount, humanize } from '../../../../base/wording.ts';
import { type callOutcomes, formatOutcomes } from '../../../../contract/call-outcomes.ts';
import { resourceByName } from '../../../../contract/catalogue.ts';
import {
  type AccountReach,
  type Content,
  clipText,
  commandLine,
  formatGregorianMoment,
  html,
  isolateText,
  linkTo,
  type Markup,
} from '../../../../engine/html/markup.ts';
import type { Count, LogEntry, ReadAccount, Reader, ShownCalls } from '../../reader.ts';
import { readFlow } from './flow-steps.ts';
import { type AccountNames, entryTarget, groupFailures, isFailed, showTime, statusMark } from './log-view.ts';
import { showPicture } from './record-view.ts';
import { fieldsOf, kindNamed, kindsOfAccounts, pageName, readNamedIds, shownBody } from './records.ts';
import { attemptOutcome, healthMark, readHealth } from './webhook-view.ts';

const picturesAtMost = 6;
const webhooksAtMost = 200;
const failuresAtMost = 5;

const accountResource = resourceByName('accounts');

interface AccountPlace {
  readonly account: ReadAccount;
  readonly reach: AccountReach | undefined;
  readonly log: readonly LogEntry[] | undefined;
  readonly names: AccountNames;
  readonly branch: ReadonlySet<string>;
  /** The time of the service in ISO 8601. */
  readonly now: string;
}

type AccountData = AccountPlace & Awaited<ReturnType<typeof readAccount>>;

/** Reads an account's counts, failing webhooks, first callflows and the names of its ids. */
async function readAccount(reader: Reader, account: ReadAccount, accounts: readonly ReadAccount[]) {
  const { id: accountId } = account;
  const firstRecords = async (kind: 'callflows' | 'webhooks', limit: number) =>
    kindNamed(kind) ? (await reader.list({ accountId, kind, limit })).records : [];
  const flowsOf = async () =>
    Promise.all(
      (await firstRecords('callflows', picturesAtMost)).map(async (callflow) => ({
        callflow,
        // Lists can omit the flow.
        flow: await readFlow(
          reader,
          isObject(callflow.body.flow)
            ? callflow
            : ((await reader.record(accountId, 'callflows', callflow.id)) ?? callflow),
          accountId,
        ),
      })),
    );
  const failingOf = async () => {
    const webhooks = await firstRecords('webhooks', webhooksAtMost);
    const healthById = await readHealth(reader, webhooks, accountId);
    return webhooks.flatMap((webhook) => {
      const health = healthById.get(webhook.id);
      return health === undefined || health.isFine ? [] : [{ webhook, health }];
    });
  };
  const shown = { id: accountId, body: shownBody(accountResource, account) };
  const [counts, flows, failing, known, calls] = await Promise.all([
    Promise.all(
      kindsOfAccounts.map(async (kind) => ({ kind, count: await reader.count(accountId, kind.name) })),
    ),
    flowsOf(),
    failingOf(),
    readNamedIds(reader, shown, accountId, accounts),
    reader.calls?.(accountId),
  ]);
  return { counts, flows, failing, known, calls };
}

const joinFacts = (
  texts: readonly (string | false | undefined)[],
  shown: (text: string) => Markup,
): Content =>
  texts
    .filter((text) => typeof text === 'string' && text !== '')
    .map((text, index) => html`${index > 0 && ' · '}${shown(String(text))}`);

const failingWebhooks = ({ account, failing, now }: AccountData): readonly Markup[] =>
  failing.map(({ webhook, health }) => {
    const { last, why } = health;
    const link = linkTo({ accountId: account.id, kind: 'webhooks', id: webhook.id });
    return html`<li>${healthMark(health)}<span class="told"><a href="${link}">Webhook ${isolateText(pageName(webhook, kindNamed('webhooks')))}</a> <span class="dim">${joinFacts(
      [why, last && `last answer ${attemptOutcome(last)}`],
      clipText,
    )}</span></span>${last && showTime(`${formatGregorianMoment(last.timestamp).replace(' ', 'T')}Z`, now)}</li>`;
  });

/** Shows the latest failed requests. Equal failures share an item. */
function failedRequests({ log = [], names, branch, now }: AccountData): readonly Markup[] {
  const failed = log.filter(
    (entry) =>
      entry.kind === 'request' &&
      isFailed(entry) &&
      (entry.account_id === null || branch.has(entry.account_id)),
  );
  return groupFailures(failed.toReversed())
    .slice(0, failuresAtMost)
    .map(({ last, count }) => {
      const { method, note, by, time } = last;
      return html`<li>${statusMark(last)}<span class="told"><b class="verb">${method}</b> ${entryTarget(last, names)} <span class="dim">${joinFacts(
        [note, by && `by ${by}`, count > 1 && `${count} times`],
        isolateText,
      )}</span></span>${showTime(time, now)}</li>`;
    });
}

function failures(data: AccountData): Markup {
  const [webhooks, requests] = [failingWebhooks(data), failedRequests(data)];
  const more = webhooks.length - failuresAtMost;
  const hooks = linkTo({ accountId: data.account.id, kind: 'webhooks' });
  if (webhooks.length + requests.length === 0)
    return html`<p class="fine"><span class="status good">fine</span> ${data.log ? 'No recent failures.' : 'No failing webhooks.'}</p>`;
  return html`<section class="trouble"><h2>Recent failures</h2><ul>${webhooks.slice(0, failuresAtMost)}${
    more > 0 && html`<li><a href="${hooks}">and ${more} more webhooks</a></li>`
  }${requests}</ul>${data.log && html`<p class="more"><a href="${linkTo({ log: 'failed' })}">All failures</a></p>`}</section>`;
}

/** Explains `100+` and `?`. */
const countTitle = (count: Count | undefined): string | undefined =>
  count === undefined
    ? 'The service does not show these records'
    : count.isMore
      ? `At least ${count.count}. The service does not report the total.`
      : undefined;

/** Formats a count: `7`, `100+` if there are more, `?` if it is unknown. */
const countText = (count: Count | undefined): string =>
  count === undefined ? '?' : `${count.count}${count.isMore ? '+' : ''}`;

function showPictures({ account: { id: accountId }, flows, counts }: AccountData): Content {
  const callflows = kindNamed('callflows');
  const total = counts.find(({ kind }) => kind === callflows)?.count;
  const drawn = flows.map(({ callflow, flow }) => {
    const name = textAt(callflow.body, 'name') ?? pageName(callflow, callflows);
    const link = linkTo({ accountId, kind: 'callflows', id: callflow.id });
    return html`<figure><figcaption><a href="${link}">${clipText(name)}</a></figcaption>${flow && showPicture(callflow, flow)}</figure>`;
  });
  const all = linkTo({ accountId, kind: 'callflows' });
  return (
    drawn.length > 0 &&
    html`<section><h2>Where calls go</h2>${drawn}${(total?.count ?? 0) > drawn.length && html`<p class="more"><a href="${all}">All ${countText(total)} callflows</a></p>`}</section>`
  );
}

const [barWidth, chartHeight] = [10, 60];
const liveCallsAtMost = 20;

/** Draws a bar for each minute: answered calls, then calls that reached a service, then missed calls. */
function drawChart(minutes: ShownCalls['minutes']): Markup {
  const all = ({ answered, messages, reached_service: reached, missed }: ShownCalls['minutes'][number]) =>
    [answered, answered + messages + reached, answered + messages + reached + missed] as const;
  const most = Math.max(1, ...minutes.map((minute) => all(minute)[2]));
  const heightOf = (count: number): number => Math.round((count / most) * chartHeight);
  const bars = minutes.map((minute, index) => {
    const [good = 0, taken = 0, whole = 0] = all(minute).map(heightOf);
    const drawBar = (kind: string, top: number, height: number): Markup =>
      html`<rect class="${kind}" x="${index * barWidth}" y="${chartHeight - top}" width="${barWidth - 2}" height="${height}"/>`;
    return html`${drawBar('answered', good, good)}${drawBar('reached', taken, taken - good)}${drawBar('missed', whole, whole - taken)}`;
  });
  return html`<svg class="calls" viewBox="0 0 ${minutes.length * barWidth} ${chartHeight}" width="100%" height="${chartHeight}" preserveAspectRatio="none" role="img" aria-label="Calls of the last hour, by minute">${bars}</svg>`;
}

/** Shows the row of a live call. `legs` are in the order of their start. */
function liveCall(legs: ShownCalls['live']): Markup {
  const { direction = '', destination = '', elapsed_s: seconds = 0 } = legs[0] ?? {};
  const state = legs.some(({ answered }) => answered === true) ? 'answered' : 'ringing';
  return html`<li><span class="told">${isolateText(String(direction))} to ${clipText(String(destination))}</span> <span class="dim">${state}, ${String(seconds)} s, ${formatCount(legs.length, 'leg')}</span></li>`;
}

/** Shows the account's live calls and its calls of the last hour. Empty if there are none. */
function showCalls({ calls }: AccountData): Content {
  const totalCalls = (outcome: keyof typeof callOutcomes): number =>
    calls?.minutes.reduce((sum, minute) => sum + minute[outcome], 0) ?? 0;
  const ended = formatOutcomes(totalCalls);
  if (!calls || calls.live.length + ended.length === 0) return false;
  const live = [...Map.groupBy(calls.live, ({ interaction_id: call, uuid }) => call ?? uuid).values()];
  return html`<section><h2>Calls</h2><p>${formatCount(live.length, 'live call')}. Calls in the last hour: ${ended.join(', ') || 'none'}.</p><figure>${drawChart(calls.minutes)}</figure><ul>${live.slice(0, liveCallsAtMost).map(liveCall)}</ul></section>`;
}

/** Shows an account: recent failures, calls, records and callflows. */
export async function accountView(
  reader: Reader,
  around: AccountPlace,
  accounts: readonly ReadAccount[],
): Promise<Markup> {
  const { account, reach } = around;
  const data = { ...around, ...(await readAccount(reader, account, accounts)) };
  const { counts, known } = data;
  const { id, body } = account;
  const about = ['realm', 'timezone', 'language'].flatMap((key) => textAt(body, key) ?? []);
  return html`<h1>${isolateText(pageName(account, accountResource))}</h1><p class="facts">${about.map(
    (fact) => html`<span>${isolateText(fact)}</span>`,
  )}<code>${id}</code></p>${commandLine(reach, ['accounts', 'get', id])}${failures(data)}${showCalls(data)}<h2>Records</h2><ul class="tiles">${counts.map(
    ({ kind, count }) =>
      html`<li><a href="${linkTo({ accountId: id, kind: kind.name })}"${!count?.count && html` class="empty"`}${countTitle(count) && html` title="${countTitle(count) ?? ''}"`}><b>${kind.kind === 'singleton' ? (count?.count ? 'set' : '–') : countText(count)}</b><span>${humanize(kind.name)}</span></a></li>`,
  )}</ul>${showPictures(data)}<section class="record"><h2>Fields of the account</h2>${fieldsOf(accountResource, account, known, id)}</section>`;
}
