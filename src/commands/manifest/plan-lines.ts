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
const costs = 'may cost; the price is known only when applied';

/** The plans of all accounts for people: what is done to each object, and how much in all. */
export function planLines(accounts: readonly AccountPlanning[], layout: Layout): readonly Line[] {
  return accounts.flatMap((account, index) => [
    ...(index === 0 ? [] : [[]]),
    ...accountLines(account, layout),
  ]);
}

/** The steps of a plan that are worth a line, kind by kind. */
export function shownSteps(plan: Plan, verbose: boolean): readonly Step[] {
  const order = new Map(kinds.map(({ name }, index) => [name, index]));
  return plan.steps
    .filter(({ action }) => verbose || action !== 'unchanged')
    .toSorted((one, other) => (order.get(one.kind) ?? 0) - (order.get(other.kind) ?? 0));
}

function accountLines({ plan, refusal, createdBy }: AccountPlanning, layout: Layout): readonly Line[] {
  const { name, origin } = plan.account;
  const steps = shownSteps(plan, layout.verbose);
  const rows = steps.flatMap((step) => rowsOf(step, layout.verbose));
  const left = Math.min(
    widestLeft,
    Math.max(0, ...rows.map((row) => (row.right === undefined ? 0 : leftWidth(row)))),
  );
  const created = createdBy === undefined ? '' : ` (${createdBy} is created first)`;
  return [
    [{ text: `${name} at ${origin}`, mark: 'bold' }, { text: created }],
    [],
    ...(rows.length === 0
      ? [[{ text: 'Nothing to change.' }]]
      : rows.map((row) => rowLine(row, left, layout))),
    [],
    [{ text: countsText(plan) }],
    ...keptLines(plan),
    ...driftLines(plan),
    ...(refusal === undefined
      ? []
      : [
          [
            {
              text: `apply would refuse this: ${refusal.message}${refusal.hint ? ` ${refusal.hint}` : ''}`,
              mark: 'bad' as const,
            },
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
}

const leftWidth = ({ sign, text }: Row): number => text.length + (sign === undefined ? 4 : 2);

function rowsOf(step: Step, verbose: boolean): readonly Row[] {
  const notes = [...(step.mayCost && step.send !== undefined ? [costs] : []), ...step.notes].join('; ');
  const head: Row = {
    sign: signs[step.action],
    text: step.label,
    ...(notes === '' ? {} : { right: notes, mark: step.mayCost ? 'careful' : 'dim' }),
  };
  if (step.action === 'create' && !verbose) return [head];
  return [
    head,
    ...step.changes.map(
      (change): Row => ({
        text: pathText(change.path),
        right: `${changeText(change)}${change.drift ? ' (changed by others)' : ''}`,
        ...(change.drift ? { mark: 'careful' } : {}),
      }),
    ),
  ];
}

function rowLine({ sign, text, right, mark }: Row, left: number, { columns }: Layout): Line {
  const start: Line = sign === undefined ? [{ text: `    ${text}` }] : [sign, { text: ` ${text}` }];
  if (right === undefined) return start;
  const width = text.length + (sign === undefined ? 4 : 2);
  const gap = ' '.repeat(Math.max(0, left - width) + 2);
  const room = columns === undefined ? right.length : columns - Math.max(left, width) - 2;
  const shown = right.length > room && room > 8 ? `${right.slice(0, room - 1)}…` : right;
  return [...start, { text: gap }, { text: shown, ...(mark === undefined ? {} : { mark }) }];
}

function keptLines({ kept = [] }: Plan): readonly Line[] {
  const labels = (why: readonly string[]): string =>
    listed(kept.filter((each) => why.includes(each.why)).map(({ label }) => label));
  const unpruned = labels(['not-pruned']);
  const safe = labels(['protected', 'signed-in']);
  return [
    ...(unpruned === '' ? [] : [`No longer in the manifest: ${unpruned}. --prune deletes what it made.`]),
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
