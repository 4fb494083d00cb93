import { type Content, html, type Markup } from '../../page/html/markup.ts';
import type { LogEntry } from '../control/request-log.ts';
import { clockOf, isFailed, mark, whereTo } from './feed-view.ts';
import { kindNamed, nameOf, recordsOf, type Viewing } from './look.ts';
import { linkTo } from './place.ts';
import { clipped, gregorianMoment, own } from './values.ts';
import { healthMark, healthOf, outcomeOf } from './webhook-health.ts';

const webhooksAtMost = 200;
const shownAtMost = 5;

/** What an administrator wants to know first: webhooks that do not get through, and requests that failed. */
export interface Trouble extends Viewing {
  readonly entries: readonly LogEntry[];
  /** Names of accounts by their ids. */
  readonly names: ReadonlyMap<string, string>;
  /** The account and those below it. */
  readonly around: ReadonlySet<string>;
}

async function webhooksInTrouble(trouble: Trouble): Promise<readonly Markup[]> {
  const { account, store } = trouble;
  const webhooks = kindNamed('webhooks');
  if (!webhooks) return [];
  const records = await recordsOf(store, webhooks, account.id, webhooksAtMost);
  const known = await Promise.all(
    records.map(async (record) => ({ record, health: await healthOf(record, trouble) })),
  );
  return known.flatMap(({ record, health }) => {
    const { last, why } = health;
    if (health.isFine) return [];
    const link = linkTo({ accountId: account.id, kind: 'webhooks', id: record.id });
    return html`<li>${healthMark(health)}<span class="told"><a href="${link}">Webhook ${own(nameOf(record, webhooks))}</a> <span class="dim">${[
      ...(why === undefined ? [] : [why]),
      ...(last ? [`last answer ${outcomeOf(last)}`] : []),
    ].map(
      (each, index) => html`${index > 0 && ' · '}${clipped(each)}`,
    )}</span></span>${last && html`${clockOf(`${gregorianMoment(last.timestamp).replace(' ', 'T')}Z`, new Date(trouble.nowMs).toISOString())}`}</li>`;
  });
}

/** Requests that failed the same way, as one, by the last of them. */
function requestsInTrouble({ entries, names, around, nowMs }: Trouble): readonly Markup[] {
  const failed = entries.filter(
    (entry) =>
      entry.kind === 'request' &&
      isFailed(entry) &&
      (entry.account_id === null || around.has(entry.account_id)),
  );
  const alike = Map.groupBy(failed.toReversed(), ({ method, path, status, note }) =>
    JSON.stringify([method, path, status, note]),
  );
  return [...alike.values()].slice(0, shownAtMost).flatMap((same) => {
    const [last] = same;
    if (!last) return [];
    const { method, note, by, time } = last;
    return html`<li>${mark(last)}<span class="told"><b class="verb">${method}</b> ${whereTo(last, names)} <span class="dim">${[
      note,
      by && `by ${by}`,
      same.length > 1 && `${same.length} times`,
    ]
      .filter((each) => typeof each === 'string' && each !== '')
      .map(
        (each, index) => html`${index > 0 && ' · '}${own(String(each))}`,
      )}</span></span>${clockOf(time, new Date(nowMs).toISOString())}</li>`;
  });
}

/** What went wrong lately in an account, and why. */
export async function attentionView(trouble: Trouble): Promise<Content> {
  const [webhooks, requests] = [await webhooksInTrouble(trouble), requestsInTrouble(trouble)];
  const more = webhooks.length - shownAtMost;
  const hooks = linkTo({ accountId: trouble.account.id, kind: 'webhooks' });
  if (webhooks.length + requests.length === 0)
    return html`<p class="fine"><span class="status good">fine</span> Nothing failed lately.</p>`;
  return html`<section class="trouble"><h2>What failed lately</h2><ul>${webhooks.slice(0, shownAtMost)}${
    more > 0 && html`<li><a href="${hooks}">and ${more} more webhooks</a></li>`
  }${requests}</ul><p class="more"><a href="${linkTo({ log: 'failed' })}">All that failed</a></p></section>`;
}
