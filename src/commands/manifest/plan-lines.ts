import { kinds } from '../../manifest/kinds.ts';
import { changeText, pathText } from '../../manifest/plan/change-text.ts';
import { countsOf } from '../../manifest/plan/make-plan.ts';
import type { Action, Plan, Step } from '../../manifest/plan/plan.ts';
import type { Span } from '../../terminal/result.ts';
import type { AccountPlanning } from './planning.ts';

/** How plans are laid out. */
export interface Layout {
  /** Width of the terminal; unknown in a pipe, where nothing is cut. */
  readonly columns: number | undefined;
  /** Unchanged objects, and all fields of new ones, are listed, too. */
  readonly verbose: boolean;
}

type Line = readonly Span[];

const signs: Readonly<Record<Action, Span>> = {
  create: { text: '+', mark: 'good' },
  update: { text: '~', mark: 'careful' },
  delete: { text: '-', mark: 'bad' },
  unverifiable: { text: '?', mark: 'careful' },
  unchanged: { text: '=', mark: 'dim' },
};

/** Wider than this, the left column takes no more room. */
const widestLeft = 36;
/** Narrower than this, the right column is neither cut nor folded. */
const narrowestRight = 20;
const costs = 'may cost; the price is known only when applied';

/** The plans of all accounts for people: what is done to each object, and how much in all. */
export function planLines(accounts: readonly PlannedAccount[], layout: Layout): readonly Line[] {
  return accounts.flatMap((account, index) => [
    ...(index === 0 ? [] : [[]]),
    ...accountLines(account, layout),
  ]);
}

/** What is shown of an account. */
export type PlannedAccount = Pick<AccountPlanning, 'plan' | 'refusal' | 'createdBy'>;

/** The steps of a plan that are worth a line, kind by kind. */
export function shownSteps(plan: Plan, verbose: boolean): readonly Step[] {
  const order = new Map(kinds.map(({ name }, index) => [name, index]));
  return plan.steps
    .filter(({ action }) => verbose || action !== 'unchanged')
    .toSorted((one, other) => (order.get(one.kind) ?? 0) - (order.get(other.kind) ?? 0));
}

function accountLines({ plan, refusal, createdBy }: PlannedAccount, layout: Layout): readonly Line[] {
  const { name, origin } = plan.account;
  const rows = shownSteps(plan, layout.verbose).flatMap((step) => rowsOf(step, layout.verbose));
  const widths = rows.flatMap((row) => (row.right === undefined ? [] : [leftWidth(row)]));
  const left = Math.min(widestLeft, Math.max(0, ...widths));
  const created = createdBy === undefined ? [] : [{ text: ` (${createdBy} creates it first)` }];
  const body: readonly Line[] =
    rows.length === 0
      ? [[{ text: 'Nothing to change.' }]]
      : rows.flatMap((row) => rowLines(row, left, layout));
  return [
    [{ text: `${name} at ${origin}`, mark: 'bold' }, ...created],
    [],
    ...body,
    [],
    [{ text: countsText(plan) }],
    ...keptLines(plan),
    ...driftLines(plan),
    ...(refusal === undefined
      ? []
      : [
          [
            {
              text: ['apply would refuse this:', refusal.message, refusal.hint ?? ''].join(' ').trim(),
              mark: 'bad',
            } as const,
          ],
        ]),
  ];
}

/** `1 to create, 3 to update, 12 unchanged, 1 unverifiable, 0 to delete` */
export function countsText(plan: Plan): string {
  const counts = countsOf(plan);
  return [
    `${counts.create} to create`,
    `${counts.update} to update`,
    `${counts.unchanged} unchanged`,
    ...(counts.unverifiable > 0 ? [`${counts.unverifiable} unverifiable`] : []),
    `${counts.delete} to delete`,
  ].join(', ');
}

interface Row {
  readonly sign?: Span;
  readonly text: string;
  readonly right?: string;
  readonly mark?: Span['mark'];
  /** Said whole, over several lines where it is long; otherwise cut. */
  readonly folds?: true;
}

const leftWidth = ({ sign, text }: Row): number => text.length + (sign === undefined ? 4 : 2);

function rowsOf(step: Step, verbose: boolean): readonly Row[] {
  const notes = [...(step.mayCost && step.send !== undefined ? [costs] : []), ...step.notes].join('; ');
  const head: Row = {
    sign: signs[step.action],
    text: step.label,
    ...(notes === '' ? {} : { right: notes, mark: step.mayCost ? 'careful' : 'dim', folds: true }),
  };
  if (step.action === 'create' && !verbose) return [head];
  const again = sentAgain(step);
  return [
    head,
    ...step.changes.map(
      (change): Row => ({
        text: pathText(change.path),
        right: `${changeText(change)}${change.drift ? ' (changed by others)' : ''}`,
        ...(change.drift ? { mark: 'careful' } : {}),
      }),
    ),
    ...(again.length === 0
      ? []
      : [{ text: '(sent again)', right: again.join(', '), mark: 'dim', folds: true } as const]),
  ];
}

/** Fields that are sent as they are, since the service takes whole records only. */
function sentAgain({ by, send, changes }: Step): readonly string[] {
  if (by !== 'replace' || send === undefined) return [];
  const changed = new Set(changes.map(({ path }) => /^[^./]*/.exec(path)?.[0]));
  return Object.keys(send).filter((key) => !changed.has(key.replaceAll('.', '%2E')));
}

function rowLines(
  { sign, text, right, mark, folds }: Row,
  left: number,
  { columns }: Layout,
): readonly Line[] {
  const start: Line = sign === undefined ? [{ text: `    ${text}` }] : [sign, { text: ` ${text}` }];
  if (right === undefined) return [start];
  const width = text.length + (sign === undefined ? 4 : 2);
  const from = Math.max(left, width) + 2;
  const room = columns === undefined ? right.length : columns - from;
  const spans = (part: string): Span => ({ text: part, ...(mark === undefined ? {} : { mark }) });
  const [first = '', ...others] =
    room < narrowestRight ? [right] : folds ? folded(right, room) : [cut(right, room)];
  return [
    [...start, { text: ' '.repeat(from - width) }, spans(first)],
    ...others.map((part): Line => [{ text: ' '.repeat(from) }, spans(part)]),
  ];
}

const cut = (text: string, room: number): string =>
  text.length > room ? `${text.slice(0, room - 1)}…` : text;

/** A text in lines that are at most so long, broken at blanks. */
function folded(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function keptLines({ kept = [] }: Plan): readonly Line[] {
  const labels = (why: readonly string[]): string =>
    listed(kept.filter((each) => why.includes(each.why)).map(({ label }) => label));
  const unpruned = labels(['not-pruned']);
  const safe = labels(['protected', 'signed-in']);
  return [
    ...(unpruned === '' ? [] : [`No longer in the manifest: ${unpruned}. With --prune it would be deleted.`]),
    ...(safe === '' ? [] : [`No longer in the manifest, and never deleted: ${safe}.`]),
  ].map((text): Line => [{ text, mark: 'dim' }]);
}

const listed = (labels: readonly string[]): string =>
  labels.length > 5 ? `${labels.slice(0, 5).join(', ')} and ${labels.length - 5} more` : labels.join(', ');

function driftLines({ steps }: Plan): readonly Line[] {
  const count = steps.filter(({ drifted = [] }) => drifted.length > 0).length;
  if (count === 0) return [];
  const what = count === 1 ? '1 object was' : `${count} objects were`;
  return [
    [
      {
        text: `${what} changed by others since the last apply; apply sets that back only with --overwrite.`,
        mark: 'careful',
      },
    ],
  ];
}
