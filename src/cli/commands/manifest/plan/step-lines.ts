import { given, type Json } from '../../../../base/json.ts';
import { counted, namedIds } from '../../../../base/wording.ts';
import { pluralIn } from '../../../../contract/resource.ts';
import { changeLines, changeText, pathText } from '../../../../engine/manifest/change-lines.ts';
import { kindByName, kinds } from '../../../../engine/manifest/kinds.ts';
import type { Action, Change, Plan, Step } from '../../../../engine/manifest/plan.ts';
import type { ReportRow, Span } from '../../../command/result.ts';

/** The amount of detail that is shown of plans. */
export interface Detail {
  /** Unchanged objects, and all fields of new ones, are listed, too. */
  readonly verbose: boolean;
  /** All fields of new objects are listed, for a review. */
  readonly newFields?: boolean | undefined;
  /** What others changed is all that is shown. */
  readonly drift?: boolean | undefined;
  /** It is the reverse of a run: deletes that are alike stand together, and some of many are named. */
  readonly undoes?: boolean | undefined;
  /** Names that stand in the place of ids in what changes. */
  readonly names?: ReadonlyMap<string, string> | undefined;
  /** They are of one manifest for many accounts, whose sum is always said. */
  readonly fleet?: true;
  /** The labels by which these accounts were chosen. */
  readonly where?: readonly string[] | undefined;
}

export const actionSigns: Readonly<Record<Action, Span>> = {
  create: { text: '+', mark: 'good' },
  update: { text: '~', mark: 'careful' },
  delete: { text: '-', mark: 'bad' },
  unverifiable: { text: '?', mark: 'careful' },
  unchanged: { text: '=', mark: 'dim' },
};

/** Sign of a request that ends something live. */
export const endingSign: Span = { text: '!', mark: 'bad' };

const costs = 'may cost';

/** The steps of a plan that are worth a line, kind by kind; what completes a create comes right after it. */
export function shownSteps(plan: Plan, verbose: boolean): readonly Step[] {
  const order = new Map(kinds.map(({ name }, index) => [name, index]));
  const completing = Map.groupBy(plan.steps, ({ completes }) => completes);
  return plan.steps
    .filter(({ action, completes }) => completes === undefined && (verbose || action !== 'unchanged'))
    .flatMap((step) => [step, ...(completing.get(step.key) ?? [])])
    .toSorted((one, other) => (order.get(one.kind) ?? 0) - (order.get(other.kind) ?? 0));
}

/** From so many on, steps that read the same stand together. */
const alikeFrom = 5;

/** Steps that are alike in everything that is shown of them but their names; deletes stand alone, each by its name, unless they undo. */
export function alikeSteps(
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
    return JSON.stringify([kind, action, notes, mayCost, shown, sentAgain(step)]);
  });
  return [...groups.values()].flatMap((group) =>
    group.length < alikeFrom ? group.map((step) => [step]) : [group],
  );
}

const namedOfUndo = 20;

/** `user alice`, or `7 users: alice, bob, …`. All are named, since each is changed, or at most so many. */
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
  return `${counted(steps.length, singular, pluralIn(resource))}: ${names.slice(0, atMost).join(', ')}${rest}`;
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
  // What is given up for a while stands in the note.
  if ((step.action === 'create' && !newFields) || step.releases !== undefined) return heads;
  const again = sentAgain(step);
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
  const right = `${namedIds(text, names)}${change.drift ? ' (changed by others)' : ''}`.trim();
  return [
    {
      text: namedIds(pathText(change.path), names),
      ...(right === '' ? {} : { right }),
      ...(change.drift ? { mark: 'careful' } : {}),
      folds: true,
    },
    ...below.map(
      ({ sign, text: line }): ReportRow => ({
        sign: lineSigns[sign],
        text: namedIds(line, names),
        folds: true,
        below: true,
      }),
    ),
  ];
}

/** A change with names in the values as well, so that these are quoted as names are. */
function withNames(change: Change, names: ReadonlyMap<string, string>): Change {
  if (names.size === 0) return change;
  const named = (value: Json): Json =>
    JSON.parse(JSON.stringify(value), (_, each: Json) =>
      typeof each === 'string' ? namedIds(each, names) : each,
    );
  const { before, after } = change;
  return {
    ...change,
    ...given({ before: before && named(before), after: after && named(after) }),
  };
}

const lineSigns = { '-': actionSigns.delete, '+': actionSigns.create, '~': actionSigns.update } as const;

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
