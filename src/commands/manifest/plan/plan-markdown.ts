import { counted } from '../../../base/wording.ts';
import { changeText, pathText } from '../../../manifest/change-text.ts';
import type { Action, Step } from '../../../manifest/plan.ts';
import { markdownCode } from '../../labels.ts';
import { countsText, keptTexts, type PlannedAccount, shownSteps } from './plan-lines.ts';

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

/** The plans of all accounts as a comment for a pull request: a table each, what changes folded away below. */
export function planMarkdown(accounts: readonly PlannedAccount[]): string {
  const parts = accounts.map(accountPart);
  return `${parts.join('\n\n')}\n`;
}

function accountPart({ plan, refusal }: PlannedAccount): string {
  const steps = shownSteps(plan, false);
  const room = { left: longest };
  const rows = within(room, steps.map(tableRow));
  const details = within(
    room,
    steps.filter(({ changes }) => changes.length > 0).map((step) => detailsOf(step)),
  );
  const refused =
    refusal === undefined
      ? []
      : [
          '',
          `**apply would refuse this:** ${markdownCode(refusal.message)} ${markdownCode(refusal.hint ?? '')}`,
        ];
  return [
    `### Plan for ${markdownCode(plan.account.name)} at ${markdownCode(plan.account.origin)}`,
    '',
    countsText(plan),
    ...keptTexts(plan).flatMap((text) => ['', markdownCode(text)]),
    ...refused,
    ...(rows.shown.length === 0 ? [] : ['', '| | Object | |', '|---|---|---|', ...rows.shown]),
    ...moreThan(rows.more, 'object'),
    ...(details.shown.length === 0
      ? []
      : [
          '',
          '<details><summary>What changes</summary>',
          '',
          details.shown.join('\n\n'),
          ...moreThan(details.more, 'object'),
          '',
          '</details>',
        ]),
  ].join('\n');
}

const moreThan = (count: number, what: string): readonly string[] =>
  count === 0 ? [] : ['', `… and ${counted(count, `more ${what}`)}`];

/** As many texts as there is room for. */
function within(
  room: { left: number },
  texts: readonly string[],
): { readonly shown: readonly string[]; readonly more: number } {
  const shown: string[] = [];
  for (const text of texts) {
    if (text.length > room.left) break;
    room.left -= text.length + 2;
    shown.push(text);
  }
  return { shown, more: texts.length - shown.length };
}

function tableRow(step: Step): string {
  const paths = step.action === 'update' ? [...new Set(step.changes.map(({ path }) => pathText(path)))] : [];
  const some = paths.length > 6 ? [...paths.slice(0, 6), `… ${paths.length - 6} more`] : paths;
  const notes = [
    ...(some.length === 0 ? [] : [markdownCode(some.join(', '))]),
    ...(step.mayCost && step.send !== undefined
      ? ['**may cost**; the price is known only when applied']
      : []),
    ...((step.drifted ?? []).length > 0 ? ['changed by others since the last apply'] : []),
    ...step.notes.map(markdownCode),
  ];
  return `| ${wordOf(step)} | ${markdownCode(step.label)} | ${notes.join('<br>')} |`;
}

function detailsOf(step: Step): string {
  const lines = step.changes.map((change) => {
    const others = change.drift ? ' (changed by others)' : '';
    return `- ${markdownCode(pathText(change.path))}: ${markdownCode(changeText(change))}${others}`;
  });
  return [`${wordOf(step)} ${markdownCode(step.label)}`, '', ...lines].join('\n');
}
