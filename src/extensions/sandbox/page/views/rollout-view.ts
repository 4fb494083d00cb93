import { formatCount } from '../../../../base/wording.ts';
import type { RolloutCounts, RolloutFailure, ShownRollout } from '../../../../cli/commands/extension.ts';
import {
  clipText,
  commandLine,
  html,
  isolateText,
  linkTo,
  type Markup,
  scrollingTable,
} from '../../../../engine/html/markup.ts';
import type { Reader } from '../../reader.ts';
import { type AccountNames, showTime } from './log-view.ts';

const rolloutsAtMost = 100;
const failuresAtMost = 200;

const tones: Readonly<Record<ShownRollout['state'], string>> = {
  running: 'warn',
  stopped: 'bad',
  cancelled: 'other',
  finished: 'good',
};

const countHeaders = ['Done', 'Unchanged', 'Failed', 'Running', 'Waiting'];

const countCells = ({ done, unchanged, failed, running, waiting }: RolloutCounts): readonly Markup[] =>
  [done, unchanged, failed, running, waiting].map((count, index) =>
    countHeaders[index] === 'Failed' && count > 0
      ? html`<td><span class="status bad">${count}</span></td>`
      : html`<td>${count}</td>`,
  );

const stateMark = ({ state }: ShownRollout): Markup =>
  html`<span class="status ${tones[state]}">${state}</span>`;

const totalCount = (counts: RolloutCounts): number =>
  Object.values(counts).reduce((sum: number, count: number) => sum + count, 0);

async function takeFirst<T>(items: AsyncIterable<T>, most: number): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length === most) break;
  }
  return found;
}

export const firstRollouts = (
  rollouts: NonNullable<Reader['rollouts']>,
  most = rolloutsAtMost,
): Promise<readonly ShownRollout[]> => takeFirst(rollouts(), most);

/** Finds a rollout by its number. Reads no more rollouts than needed. */
async function findRollout(rollouts: Reader['rollouts'], id: string): Promise<ShownRollout | undefined> {
  for await (const rollout of rollouts?.() ?? []) if (rollout.id === id) return rollout;
  return undefined;
}

/** Shows rollouts, newest first. `now` is the time of the page in ISO 8601. */
export const rolloutsView = (rollouts: readonly ShownRollout[], now: string): Markup =>
  html`<h1>Rollouts</h1><p class="facts">One manifest for many accounts, in waves. Newest first.</p>${
    rollouts.length === 0
      ? html`<p class="nothing">No rollouts yet.</p>`
      : scrollingTable(
          'Rollouts',
          ['Id', 'State', 'When', 'Who', 'Set', ...countHeaders, 'Why'],
          rollouts.map(
            (rollout) =>
              html`<tr><th scope="row"><a href="${linkTo({ view: 'rollouts', id: rollout.id })}">${rollout.id}</a></th><td>${stateMark(rollout)}</td><td>${showTime(rollout.at, now)}</td><td>${isolateText(rollout.who)}</td><td>${isolateText(rollout.set)}</td>${countCells(rollout.counts)}<td class="wide">${rollout.why !== undefined && isolateText(rollout.why)}</td></tr>`,
          ),
        )
  }${commandLine({}, ['rollout', 'list'])}`;

/**
 * Shows a rollout: its start, why it stopped, its waves and failed accounts. Returns `undefined` if the reader does
 * not have it.
 */
export async function rolloutView(
  { rollouts, rolloutFailures }: Pick<Reader, 'rollouts' | 'rolloutFailures'>,
  id: string,
  names: AccountNames,
  now: string,
): Promise<Markup | undefined> {
  const rollout = await findRollout(rollouts, id);
  if (!rollout) return undefined;
  const failures = rolloutFailures ? await takeFirst(rolloutFailures(id), failuresAtMost) : [];
  const { at, who, set, why, facts, counts, waves, failedWave } = rollout;
  const more = counts.failed - failures.length;
  const accountLink = ({ accountId, name }: RolloutFailure): Markup =>
    names.has(accountId)
      ? html`<a href="${linkTo({ accountId })}">${clipText(name)}</a>`
      : html`${clipText(name)}`;
  const waveRows = waves.map(
    (wave, index) =>
      html`<tr><th scope="row">${index + 1}${index + 1 === failedWave && html` <span class="status bad">not well</span>`}</th><td>${totalCount(wave)}</td>${countCells(wave)}</tr>`,
  );
  return html`<nav class="crumbs" aria-label="Where this is"><a href="${linkTo({ view: 'rollouts' })}">Rollouts</a></nav><h1>Rollout ${id} <small>${isolateText(set)}</small></h1><p class="facts"><span>${stateMark(rollout)}</span><span>${formatCount(totalCount(counts), 'account')}</span><span>started by ${isolateText(who)}</span><span>${showTime(at, now)}</span>${facts.map(
    (fact) => html`<span>${isolateText(fact)}</span>`,
  )}</p>${why !== undefined && html`<p class="note">${isolateText(why)}</p>`}${scrollingTable('Waves', ['Wave', 'Accounts', ...countHeaders], waveRows)}${
    failures.length > 0 &&
    html`<section><h2>Failed</h2>${scrollingTable(
      'Failed accounts',
      ['Account', 'Wave', 'Why'],
      failures.map(
        (failure) =>
          html`<tr><th scope="row">${accountLink(failure)}</th><td>${failure.wave}</td><td class="wide">${isolateText(failure.why)}</td></tr>`,
      ),
    )}${more > 0 && html`<p class="dim">and ${formatCount(more, 'more account')}</p>`}</section>`
  }${commandLine({}, ['rollout', 'show', id])}`;
}
