import { type Json, omitUndefined } from '../../../../base/json.ts';
import { formatCount, replaceIds } from '../../../../base/wording.ts';
import { pluralIn } from '../../../../contract/resource.ts';
import { changeLines, changeText, pathText } from '../../../../engine/manifest/change-lines.ts';
import { kindByName, kinds } from '../../../../engine/manifest/kinds.ts';
import type { Action, Change, Plan, Step } from '../../../../engine/manifest/plan.ts';
import type { ReportRow, Span } from '../../../command/result.ts';

export interface Detail {
  /** Lists unchanged objects and all fields of new ones. */
  readonly verbose: boolean;
  readonly newFields?: boolean | undefined;
  readonly drift?: boolean | undefined;
  /** The plan reverses a run. Similar deletes are grouped, and long groups are shortened. */
  readonly undoes?: boolean | undefined;
  readonly names?: ReadonlyMap<string, string> | undefined;
  readonly fleet?: true;
  readonly where?: readonly string[] | undefined;
}

export const actionSigns: Readonly<Record<Action, Span>> = {
  create: { text: '+', mark: 'good' },
  update: { text: '~', mark: 'careful' },
  delete: { text: '-', mark: 'bad' },
  unverifiable: { text: '?', mark: 'careful' },
  unchanged: { text: '=', mark: 'dim' },
};

export const endingSign: Span = { text: '!', mark: 'bad' };

const costs = 'may cost';

/** The relevant steps of a plan by kind. A step that completes a create follows it. */
export function shownSteps(plan: Plan, verbose: boolean): readonly Step[] {
  const order = new Map(kinds.map(({ name }, index) => [name, index]));
  const completing = Map.groupBy(plan.steps, ({ completes }) => completes);
  return plan.steps
    .filter(({ action, completes }) => completes === undefined && (verbose || action !== 'unchanged'))
    .flatMap((step) => [step, ...(completing.get(step.key) ?? [])])
    .toSorted((one, other) => (order.get(one.kind) ?? 0) - (order.get(other.kind) ?? 0));
}

const alikeFrom = 5;

/** Groups steps that only differ in their names. Deletes are never grouped, except in an undo. */
export function groupAlikeSteps(
  steps: readonly Step[],
  { verbose, newFields = verbose, undoes = false }: Detail,
): readonly (readonly Step[])[] {
  const completed = new Set(steps.map(({ completes }) => completes));
  const groups = Map.groupBy(steps, (step) => {
    const { key, kind, action, notes, mayCost, completes, releases, changes } = step;
    const isNamed = action === 'delete' && !undoes;
    const isAlone = verbose || isNamed || completes !== undefined || releases !== undefined;
    if (isAlone || completed.has(key)) return key;
    const shown = action === 'create' && !newFields ? [] : changes;
    return JSON.stringify([kind, action, notes, mayCost, shown, resentFields(step)]);
  });
  return [...groups.values()].flatMap((group) =>
    group.length < alikeFrom ? group.map((step) => [step]) : [group],
  );
}

const namedOfUndo = 20;

/** `user alice`, or `7 users: alice, bob, …`. Names all of them up to a limit, because each is changed. */
export function stepsText(
  steps: readonly Pick<Step, 'kind' | 'label'>[],
  atMost = Number.POSITIVE_INFINITY,
): string {
  const [first] = steps;
  if (first === undefined || steps.length === 1) return first?.label ?? '';
  const { resource } = kindByName(first.kind);
  const { singular } = resource;
  const names = steps.map(({ label }) =>
    label.startsWith(`${singular} `) ? label.slice(singular.length + 1) : label,
  );
  const more = names.length - atMost;
  const rest = more > 0 ? `, … and ${more} more (-v names them)` : '';
  return `${formatCount(steps.length, singular, pluralIn(resource))}: ${names.slice(0, atMost).join(', ')}${rest}`;
}

export function stepRows(
  steps: readonly Step[],
  { verbose, newFields = verbose, undoes, names = new Map() }: Detail,
): readonly ReportRow[] {
  const [step] = steps;
  if (step === undefined) return [];
  if (step.completes !== undefined) return completingRows(step, verbose);
  const notes = [...(step.mayCost && step.send !== undefined ? [costs] : []), ...step.notes].join('; ');
  const sign = step.by === 'call' ? endingSign : actionSigns[step.action];
  const said = notes === '' ? {} : ({ right: notes, mark: step.mayCost ? 'careful' : 'dim' } as const);
  const heads: readonly ReportRow[] =
    steps.length === 1
      ? [{ sign, text: step.label, folds: true, ...said }]
      : [
          { sign, text: stepsText(steps, undoes ? namedOfUndo : undefined), folds: true },
          ...(notes === '' ? [] : [{ text: '(each)', folds: true, ...said } as const]),
        ];
  // The note describes a temporarily released value.
  if ((step.action === 'create' && !newFields) || step.releases !== undefined) return heads;
  const again = resentFields(step);
  return [
    ...heads,
    ...step.changes.flatMap((change) => changeRows(change, names)),
    ...(again.length === 0
      ? []
      : [{ text: '(sent again)', right: again.join(', '), mark: 'dim', folds: true } as const]),
  ];
}

function changeRows(change: Change, names: ReadonlyMap<string, string>): readonly ReportRow[] {
  const { text, below } = changeLines(withNames(change, names));
  const right = `${replaceIds(text, names)}${change.drift ? ' (changed by others)' : ''}`.trim();
  return [
    {
      text: replaceIds(pathText(change.path), names),
      ...(right === '' ? {} : { right }),
      ...(change.drift ? { mark: 'careful' } : {}),
      folds: true,
    },
    ...below.map(
      ({ sign, text: line }): ReportRow => ({
        sign: lineSigns[sign],
        text: replaceIds(line, names),
        folds: true,
        below: true,
      }),
    ),
  ];
}

/** Replaces ids in the values by names, which are then quoted. */
function withNames(change: Change, names: ReadonlyMap<string, string>): Change {
  if (names.size === 0) return change;
  const replaceIn = (value: Json): Json =>
    JSON.parse(JSON.stringify(value), (_, each: Json) =>
      typeof each === 'string' ? replaceIds(each, names) : each,
    );
  const { before, after } = change;
  return {
    ...change,
    ...omitUndefined({ before: before && replaceIn(before), after: after && replaceIn(after) }),
  };
}

const lineSigns = { '-': actionSigns.delete, '+': actionSigns.create, '~': actionSigns.update } as const;

/** The line below a create, for a step that completes it. */
const completingRows = ({ changes, notes }: Step, verbose: boolean): readonly ReportRow[] =>
  changes.map((change) => ({
    text: pathText(change.path),
    right: [...(verbose ? [changeText(change)] : []), ...notes].join('; '),
    mark: 'dim',
    folds: true,
  }));

function resentFields({ by, send, changes }: Step): readonly string[] {
  if (by !== 'replace' || send === undefined) return [];
  const changed = new Set(changes.map(({ path }) => /^[^./]*/.exec(path)?.[0]));
  return Object.keys(send).filter((key) => !changed.has(key.replaceAll('.', '%2E')));
}
