import type { Failure } from '../../../../base/failure.ts';
import { counted } from '../../../../base/wording.ts';
import type { Unmanaged } from '../../../../engine/manifest/account-reader.ts';
import { changeLines, pathText } from '../../../../engine/manifest/change-lines.ts';
import { countsOf } from '../../../../engine/manifest/make-plan.ts';
import type { Action, Step } from '../../../../engine/manifest/plan.ts';
import { doubledTexts, keptTexts } from '../../../../engine/manifest/shown-plan.ts';
import { markdownCode } from '../../labels.ts';
import { type AccountGroup, accountsText, countsText, type PlanKinds, unpricedTexts } from './plan-lines.ts';
import { pricesTexts } from './price-list.ts';
import { unaskedOf } from './refusals.ts';
import { alikeSteps, shownSteps, stepsText } from './step-lines.ts';

const words: Readonly<Record<Action, string>> = {
  create: 'create',
  update: 'update',
  delete: '**delete**',
  unverifiable: 'unverifiable',
  unchanged: 'unchanged',
};

const wordOf = ({ action, completes }: Step): string => (completes === undefined ? words[action] : 'then');

/** Comments on pull requests take about 65,000 characters; what goes beyond is counted instead of shown. */
const longest = 60_000;

/**
 * The plans of all accounts as a comment for a pull request: a table each, what changes folded away below. Accounts in
 * which the same is done stand together, and so do objects; `tooMuch` says why all of them together would be refused,
 * `below` what else there is to say.
 */
export function planMarkdown(
  { groups, accounts, counts }: PlanKinds,
  tooMuch?: Failure,
  below: readonly string[] = [],
): string {
  const parts = tooMuch === undefined ? [] : [refusedPart(tooMuch)];
  let room = longest;
  let told = 0;
  for (const group of groups) {
    const part = accountPart(group, room);
    room -= part.length + 2;
    if (room < 0 && told > 0) break;
    parts.push(part);
    told += group.accounts;
  }
  if (told < accounts)
    parts.push(`… and ${counted(accounts - told, 'more account')}. In all: ${countsText(counts)}`);
  return `${[...parts, ...below].join('\n\n')}\n`;
}

const refusedPart = ({ message, hint }: Failure): string =>
  `**apply would refuse this:** ${markdownCode(message)}${hint === undefined ? '' : ` ${markdownCode(hint)}`}`;

function accountPart(group: AccountGroup, longest: number): string {
  const { plan, refusal, unmanaged, prices = [] } = group.first;
  const groups = alikeSteps(shownSteps(plan, false), { verbose: false });
  const head = [
    `### Plan for ${markdownCode(accountsText(group))} at ${markdownCode(plan.account.origin)}`,
    '',
    countsText(countsOf(plan)),
    ...[...keptTexts(plan), ...doubledTexts(plan)].flatMap((text) => ['', markdownCode(text)]),
    ...unaskedOf(group.first).flatMap(({ message }) => ['', markdownCode(message)]),
    ...[...pricesTexts(prices), ...unpricedTexts(group.first)].flatMap((text) => ['', markdownCode(text)]),
    ...unmanagedTexts(unmanaged),
    ...(refusal === undefined ? [] : ['', refusedPart(refusal)]),
  ];
  const room = { left: longest - head.join('\n').length - marks };
  const rows = within(room, groups, tableRow);
  const changing = groups.filter(([step]) => (step?.changes.length ?? 0) > 0);
  const details = within(room, changing, detailsOf);
  const missing = groups.slice(groups.length - rows.more).flat().length;
  return [
    ...head,
    ...(rows.shown.length === 0 ? [] : ['', '| | Object | |', '|---|---|---|', ...rows.shown]),
    ...moreThan(missing),
    ...(details.shown.length === 0
      ? []
      : [
          '',
          '<details><summary>What changes</summary>',
          '',
          details.shown.join('\n\n'),
          ...moreThan(details.more),
          '',
          '</details>',
        ]),
  ].join('\n');
}

/** What is in no manifest, a line for each section. */
function unmanagedTexts(unmanaged: Unmanaged | undefined): readonly string[] {
  const { objects = [], unread = {} } = unmanaged ?? {};
  const lines = [
    ...[...Map.groupBy(objects, ({ kind }) => kind).values()].map((some) => shortened(stepsText(some))),
    ...Object.entries(unread).map(([kind, why]) => `${kind} could not be read whole: ${why}`),
  ];
  return lines.length === 0
    ? []
    : ['', 'In no manifest:', '', ...lines.map((line) => `- ${markdownCode(line)}`)];
}

const moreThan = (count: number): readonly string[] =>
  count === 0 ? [] : ['', `… and ${counted(count, 'more object')}`];

/** Room for what stands around the rows and the details. */
const marks = 300;

/** Texts of as many steps as there is room for. */
function within(
  room: { left: number },
  groups: readonly (readonly Step[])[],
  textOf: (steps: readonly Step[]) => string,
): { readonly shown: readonly string[]; readonly more: number } {
  const shown: string[] = [];
  for (const group of groups) {
    const text = textOf(group);
    if (text.length > room.left) break;
    room.left -= text.length + 2;
    shown.push(text);
  }
  return { shown, more: groups.length - shown.length };
}

/** Objects that a row names; the rest is counted. */
const longestNames = 2000;

const shortened = (text: string): string =>
  text.length > longestNames ? `${text.slice(0, longestNames)}…` : text;

const named = (steps: readonly Step[]): string => shortened(stepsText(steps));

function tableRow(steps: readonly Step[]): string {
  const [step] = steps;
  if (step === undefined) return '';
  const paths = step.action === 'update' ? [...new Set(step.changes.map(({ path }) => pathText(path)))] : [];
  const some = paths.length > 6 ? [...paths.slice(0, 6), `… ${paths.length - 6} more`] : paths;
  const notes = [
    ...(some.length === 0 ? [] : [markdownCode(some.join(', '))]),
    ...(step.mayCost && step.send !== undefined ? ['**may cost**'] : []),
    ...((step.drifted ?? []).length > 0 ? ['changed by others since the last apply'] : []),
    ...step.notes.map(markdownCode),
  ];
  return `| ${wordOf(step)} | ${markdownCode(named(steps))} | ${notes.join('<br>')} |`;
}

function detailsOf(steps: readonly Step[]): string {
  const [step] = steps;
  if (step === undefined) return '';
  const lines = step.changes.flatMap((change) => {
    const { text, below } = changeLines(change);
    const others = change.drift ? ' (changed by others)' : '';
    const said = text === '' ? '' : ` ${markdownCode(text)}`;
    return [
      `- ${markdownCode(pathText(change.path))}:${said}${others}`,
      ...below.map((line) => `  - ${markdownCode(`${line.sign} ${line.text}`)}`),
    ];
  });
  return [`${wordOf(step)} ${markdownCode(named(steps))}`, '', ...lines].join('\n');
}
