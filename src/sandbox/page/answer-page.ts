import { counted } from '../../base/wording.ts';
import { answerPage as answer, type Page, type PageFrame } from '../../page/page.ts';
import type { FaultCount } from '../control/faults.ts';
import type { PageParts } from './page-route.ts';
import { storeReader } from './store-reader.ts';

const minute = 60_000;
const units = [
  [1440 * minute, 'd'],
  [60 * minute, 'h'],
  [minute, 'min'],
  [1000, 's'],
] as const;

/** A length of time in its two largest units. */
function lengthOf(ms: number): string {
  const parts = units.map(([size, word], index) => {
    const larger = units[index - 1]?.[0] ?? Number.POSITIVE_INFINITY;
    return { count: Math.floor((ms % larger) / size), word };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  const shown = parts.slice(first, first + 2).filter(({ count }) => count > 0);
  return shown.map(({ count, word }) => `${count} ${word}`).join(' ');
}

const faultsInWords = (rules: readonly FaultCount[]): string =>
  rules
    .slice(0, 10)
    .map(({ rule: { match, status, drop, body, delayMs }, disturbed }) => {
      const what = [status, drop && `dropped ${drop}`, body, delayMs !== undefined && `${delayMs} ms late`];
      return `${match}: ${what.filter((each) => each !== undefined && each !== false).join(', ')}; struck ${disturbed}`;
    })
    .join('\n');

/** The sandbox in the head of its page: which service it is like, its faults and its clock. */
function frameOf({ like, rateLimit, faults, clock }: PageParts): PageFrame {
  const rules = faults.list();
  return {
    name: 'sandbox',
    facts: [
      ...(like ? [{ text: `like ${like}` }] : []),
      ...(rateLimit ? [{ text: `${rateLimit.text} requests`, title: '--rate-limit' }] : []),
    ],
    warnings: [
      ...(rules.length > 0
        ? [{ text: `${counted(rules.length, 'fault')} put in`, title: faultsInWords(rules) }]
        : []),
      ...(clock.offsetMs >= 1000 ? [{ text: `turned ahead ${lengthOf(clock.offsetMs)}` }] : []),
    ],
  };
}

/** Answers a request for the page of the sandbox. */
export const answerPage = (query: URLSearchParams, parts: PageParts): Promise<Page> =>
  answer(query, storeReader(parts), frameOf(parts));
