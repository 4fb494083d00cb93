import type { Failure } from '../../../base/failure.ts';
import type { ReportLine, ReportRow, Span } from '../../../command/result.ts';
import { changeText, pathText } from '../../../manifest/change-text.ts';
import { kinds } from '../../../manifest/kinds.ts';
import { countsOf } from '../../../manifest/make-plan.ts';
import type { Action, Plan, Step } from '../../../manifest/plan.ts';
import type { AccountPlanning } from '../../planning.ts';
import { ownedText, takenBy } from '../apply/unasked.ts';

/** The amount of detail that is shown of plans. */
export interface Detail {
  /** Unchanged objects, and all fields of new ones, are listed, too. */
  readonly verbose: boolean;
}

const signs: Readonly<Record<Action, Span>> = {
  create: { text: '+', mark: 'good' },
  update: { text: '~', mark: 'careful' },
  delete: { text: '-', mark: 'bad' },
  unverifiable: { text: '?', mark: 'careful' },
  unchanged: { text: '=', mark: 'dim' },
};

const costs = 'may cost; the price is known only when applied';

/** The plans of all accounts for people: what is done to each object, and how much in all. */
export function planLines(accounts: readonly PlannedAccount[], detail: Detail): readonly ReportLine[] {
  const isBrief = (account: PlannedAccount | undefined): boolean =>
    account !== undefined && accounts.length > 1 && !detail.verbose && isIdle(account);
  return accounts.flatMap((account, index) => [
    ...(index === 0 || (isBrief(account) && isBrief(accounts[index - 1])) ? [] : [[]]),
    ...(isBrief(account) ? [idleLine(account)] : accountLines(account, detail)),
  ]);
}

/** True when there is no more to say of an account than that nothing changes. */
const isIdle = ({ plan, refusal, inUse }: PlannedAccount): boolean =>
  refusal === undefined &&
  inUse === undefined &&
  (plan.kept ?? []).length === 0 &&
  plan.steps.every(
    ({ action, drifted = [], notes }) =>
      (action === 'unchanged' || action === 'unverifiable') && drifted.length === 0 && notes.length === 0,
  );

/** An account among several in which nothing changes, in one line. */
const idleLine = ({ plan }: PlannedAccount): readonly Span[] => {
  const { unchanged, unverifiable } = countsOf(plan);
  const counts = [`${unchanged} unchanged`, ...(unverifiable > 0 ? [`${unverifiable} unverifiable`] : [])];
  return [
    { text: `${plan.account.name} at ${plan.account.origin}`, mark: 'bold' },
    { text: `  nothing to change: ${counts.join(', ')}`, mark: 'dim' },
  ];
};

/** The parts of an account that are shown. */
export type PlannedAccount = Pick<AccountPlanning, 'plan' | 'refusal' | 'inUse' | 'createdBy'>;

/** The steps of a plan that are worth a line, kind by kind; what completes a create comes right after it. */
export function shownSteps(plan: Plan, verbose: boolean): readonly Step[] {
  const order = new Map(kinds.map(({ name }, index) => [name, index]));
  const completing = Map.groupBy(plan.steps, ({ completes }) => completes);
  return plan.steps
    .filter(({ action, completes }) => completes === undefined && (verbose || action !== 'unchanged'))
    .flatMap((step) => [step, ...(completing.get(step.key) ?? [])])
    .toSorted((one, other) => (order.get(one.kind) ?? 0) - (order.get(other.kind) ?? 0));
}

function accountLines(
  { plan, refusal, inUse, createdBy }: PlannedAccount,
  detail: Detail,
): readonly ReportLine[] {
  const { name, origin } = plan.account;
  const rows = shownSteps(plan, detail.verbose).flatMap((step) => rowsOf(step, detail.verbose));
  const isNew = createdBy !== undefined && plan.account.id === undefined;
  const created = isNew ? [{ text: ` (made first, by ${createdBy})`, mark: 'dim' } as const] : [];
  return [
    [{ text: `${name} at ${origin}`, mark: 'bold' }, ...created],
    [],
    ...(rows.length === 0 ? [[{ text: 'Nothing to change.' }]] : rows),
    [],
    [{ text: countsText(plan) }],
    ...keptTexts(plan).map((text) => [{ text, mark: 'dim' } as const]),
    ...driftLines(plan),
    ...ownerLines(plan),
    ...(inUse === undefined ? [] : [inUseLine]),
    ...(refusal === undefined ? [] : [refusalLine(refusal)]),
  ];
}

/** Says why `apply` would refuse what is shown. */
export const refusalLine = ({ message, hint }: Failure): ReportLine => [
  { text: ['apply would refuse this:', message, hint ?? ''].join(' ').trim(), mark: 'bad' },
];

const inUseLine: ReportLine = [
  {
    text: 'What is deleted is in use: apply asks about it, and with --yes it takes --force.',
    mark: 'careful',
  },
];

function ownerLines(plan: Plan): readonly ReportLine[] {
  const taken = takenBy([{ plan }]);
  if (taken.length === 0) return [];
  return [
    [
      {
        text: `${ownedText(taken)}. apply changes it only where that is agreed to, or with --take-over.`,
        mark: 'careful',
      },
    ],
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

function rowsOf(step: Step, verbose: boolean): readonly ReportRow[] {
  if (step.completes !== undefined) return completingRows(step, verbose);
  const notes = [...(step.mayCost && step.send !== undefined ? [costs] : []), ...step.notes].join('; ');
  const head: ReportRow = {
    sign: signs[step.action],
    text: step.label,
    ...(notes === '' ? {} : { right: notes, mark: step.mayCost ? 'careful' : 'dim', folds: true }),
  };
  // What is given up for a while stands in the note.
  if ((step.action === 'create' && !verbose) || step.releases !== undefined) return [head];
  const again = sentAgain(step);
  return [
    head,
    ...step.changes.map(
      (change): ReportRow => ({
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

/** Below its create: what follows it. */
const completingRows = ({ changes, notes }: Step, verbose: boolean): readonly ReportRow[] =>
  changes.map((change) => ({
    text: pathText(change.path),
    right: [...(verbose ? [changeText(change)] : []), ...notes].join('; '),
    mark: 'dim',
    folds: true,
  }));

/** Fields that are sent as they are, since the service takes whole records only. */
function sentAgain({ by, send, changes }: Step): readonly string[] {
  if (by !== 'replace' || send === undefined) return [];
  const changed = new Set(changes.map(({ path }) => /^[^./]*/.exec(path)?.[0]));
  return Object.keys(send).filter((key) => !changed.has(key.replaceAll('.', '%2E')));
}

/** Returns the texts about objects that the manifest no longer names, and that stay. */
export function keptTexts({ kept = [] }: Plan): readonly string[] {
  const labels = (why: readonly string[]): readonly string[] =>
    kept.filter((each) => why.includes(each.why)).map(({ label }) => label);
  const unpruned = labels(['not-pruned']);
  const safe = labels(['protected', 'signed-in']);
  const others = labels(['other-set']);
  const they = unpruned.length === 1 ? 'it' : 'they';
  return [
    ...(unpruned.length === 0
      ? []
      : [`No longer in the manifest: ${listed(unpruned)}. With --prune ${they} would be deleted.`]),
    ...(safe.length === 0 ? [] : [`No longer in the manifest, and never deleted: ${listed(safe)}.`]),
    ...(others.length === 0
      ? []
      : [`No longer in the manifest, and managed by another set: ${listed(others)}.`]),
  ];
}

const listed = (labels: readonly string[]): string =>
  labels.length > 5 ? `${labels.slice(0, 5).join(', ')} and ${labels.length - 5} more` : labels.join(', ');

function driftLines({ steps }: Plan): readonly ReportLine[] {
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
