import { Failure, ignoreMissing } from '../../../base/failure.ts';
import { findNearest } from '../../../base/nearest.ts';
import { didYouMean, formatCount, humanize, toLines } from '../../../base/wording.ts';
import type { Resource } from '../../../contract/types.ts';
import type { Context } from '../../command/context.ts';
import { labelOf, nameOf } from '../labels.ts';
import { findNamed, operationFor } from '../records/find-named.ts';

export interface ChosenRecord {
  readonly resource: Resource;
  readonly id: string;
}

interface Choice extends ChosenRecord {
  readonly name: string;
  /** `user alice` */
  readonly label: string;
}

const maxLines = 20;
const minPerKind = 2;
/** Limit for the records of each resource that are searched by a part of the name. */
const maxPerKind = 500;

interface Menu {
  readonly choices: readonly Choice[];
  readonly shown: number;
}

interface RecordQuestion {
  readonly question: string;
  readonly option: string;
  /** Several records, separated by commas, are allowed. */
  readonly isMany?: boolean;
  /** The question is repeated after an empty answer. */
  readonly isNeeded?: boolean;
}

export type AskRecords = (
  resources: readonly Resource[],
  asking: RecordQuestion,
) => Promise<readonly ChosenRecord[]>;

/**
 * Returns a function that asks the user to choose records. It shows a numbered list once, and accepts numbers and
 * names, including names that the list omits. The function throws `interrupted` on Ctrl-C, and failures of reading
 * the lists.
 */
export function recordAsker(context: Context): AskRecords {
  const { ask, notices } = context;
  const lists = new Map<Resource, Promise<readonly Choice[]>>();
  let shown = '';
  const buildMenu = async (resources: readonly Resource[]): Promise<Menu> => {
    for (const resource of resources)
      if (!lists.has(resource)) lists.set(resource, readChoices(context, resource));
    const all = await Promise.all(resources.map((resource) => lists.get(resource) ?? []));
    const filled = all.filter((some) => some.length > 0).length;
    const each = Math.max(minPerKind, Math.floor(maxLines / Math.max(1, filled)));
    const first = all.flatMap((some) => some.slice(0, each));
    return { choices: [...first, ...all.flatMap((some) => some.slice(each))], shown: first.length };
  };
  return async (resources, { question, option, isMany = false, isNeeded = false }) => {
    const menu = await buildMenu(resources);
    const names = resources.map(({ name }) => name).join();
    if (shown !== names) notices.say(formatMenu(resources, menu));
    shown = names;
    for (;;) {
      const said = (await ask.text(question, { option, initial: '' })).trim();
      if (said === '' && !isNeeded) return [];
      const words = isMany ? said.split(',').map((word) => word.trim()) : [said];
      try {
        const found: ChosenRecord[] = [];
        for (const word of words.filter((each, index) => each !== '' || index === 0))
          found.push(await resolveAnswer(context, resources, menu.choices, word));
        return found;
      } catch (error) {
        if (!(error instanceof Failure) || !repeatableKinds.has(error.kind)) throw error;
        notices.warn(toLines(error.lines));
      }
    }
  };
}

const repeatableKinds = new Set<Failure['kind']>(['not_found', 'conflict', 'usage']);

async function readChoices(context: Context, resource: Resource): Promise<readonly Choice[]> {
  const operation = operationFor(resource, 'list');
  const choices: Choice[] = [];
  try {
    const api = await context.api();
    const query = { ascending: 'true', ...operation.listed?.everything };
    for await (const page of api.pages({ operation, query })) {
      for (const item of page) {
        const { id } = item;
        const name = nameOf(resource, item);
        if (typeof id === 'string' && name !== undefined)
          choices.push({ resource, id, name, label: labelOf(resource, item) });
      }
      if (choices.length >= maxPerKind) break;
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted' || error.kind === 'unavailable')
      throw error;
  }
  return choices;
}

function formatMenu(resources: readonly Resource[], { choices, shown }: Menu): readonly string[] {
  if (choices.length === 0)
    return [`The account has no ${resources.map(({ singular }) => humanize(singular)).join(' or ')} yet.`];
  const more = choices.length - shown;
  return [
    ...choices.slice(0, shown).map(({ label }, index) => `${String(index + 1).padStart(4)}  ${label}`),
    ...(more > 0 ? [`      … and ${formatCount(more, 'other')}, by name`] : []),
  ];
}

/** Throws `not_found`, `conflict` or `usage`. */
async function resolveAnswer(
  context: Context,
  resources: readonly Resource[],
  choices: readonly Choice[],
  word: string,
): Promise<ChosenRecord> {
  if (word === '') throw new Failure('usage', 'It cannot be empty.');
  const same = word.toLowerCase();
  const named = choices.filter(({ name, label }) => [name.toLowerCase(), label.toLowerCase()].includes(same));
  const [only, other] = named;
  if (only && other)
    throw new Failure(
      'conflict',
      `${named.map(({ label }) => label).join(' or ')}? Enter the number in the list.`,
    );
  if (only) return only;
  const placed = /^\d+$/.test(word) ? choices[Number(word) - 1] : undefined;
  if (placed) return placed;
  for (const resource of resources) {
    const found = await ignoreMissing(findNamed(context, resource, word));
    if (found) return { resource, id: found.id };
  }
  const kinds = resources.map(({ singular }) => humanize(singular)).join(', ');
  const near = findNearest(
    word,
    choices.map(({ name }) => name),
  );
  throw new Failure(
    'not_found',
    `There is no ${kinds.replace(/, ([^,]*)$/, ' or $1')} ${JSON.stringify(word)}.${near === undefined ? '' : didYouMean(near)}`,
  );
}
