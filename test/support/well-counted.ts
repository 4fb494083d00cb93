import { humanize } from '../../src/base/wording.ts';
import { resources } from '../../src/contract/catalogue.ts';

/** Plurals that messages count: of every resource, and of what telctl itself speaks of. */
const plurals = [
  ...resources
    .filter(({ kind, name }) => kind === 'collection' && name !== 'media')
    .map(({ name }) => humanize(name)),
  ...[
    'accounts',
    'attempts',
    'bytes',
    'calls',
    'cells',
    'changes',
    'characters',
    'columns',
    'days',
    'deliveries',
  ],
  ...[
    'digits',
    'entries',
    'events',
    'files',
    'findings',
    'hits',
    'hours',
    'items',
    'legs',
    'lines',
    'minutes',
  ],
  ...['objects', 'operations', 'places', 'plans', 'problems', 'profiles', 'records', 'requests', 'resources'],
  ...[
    'rollouts',
    'rows',
    'runs',
    'samples',
    'seconds',
    'secrets',
    'steps',
    'sub-accounts',
    'times',
    'values',
  ],
];

/** One of something in the plural (`1 users`), a singular that is cut off (`1 entrie`), a plural with an s too many (`2 boxs`). */
const miscounted = new RegExp(
  `(?<!of )(?<![\\w.,:/#=-])(?:1 (?:more )?(?:${plurals.join('|')}|\\w+ie)|\\d+ (?:more )?\\w*(?:x|ch|sh|[^aeiou\\s]y)s)\\b`,
);

/** Throws where words for people count something in a form that does not fit the number. */
export function assertWellCounted(said: string): void {
  const [found] = miscounted.exec(said) ?? [];
  if (found !== undefined) throw new Error(`"${found}" is no English: ${said}`);
}
