import { humanize } from '../../src/base/wording.ts';
import { resources } from '../../src/contract/catalogue.ts';

/** Plurals in messages: of every resource and of terms of telctl. */
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

/** A wrong plural (`1 users`), a truncated singular (`1 entrie`) or an invalid plural (`2 boxs`). */
const miscounted = new RegExp(
  `(?<!of )(?<![\\w.,:/#=-])(?:1 (?:more )?(?:${plurals.join('|')}|\\w+ie)|\\d+ (?:more )?\\w*(?:x|ch|sh|[^aeiou\\s]y)s)\\b`,
);

/** Throws if a message has a count with the wrong form of a noun. */
export function assertWellCounted(said: string): void {
  const [found] = miscounted.exec(said) ?? [];
  if (found !== undefined) throw new Error(`"${found}" is not English: ${said}`);
}
