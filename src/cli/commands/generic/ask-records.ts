import { Failure, unlessMissing } from '../../../base/failure.ts';
import { nearest } from '../../../base/nearest.ts';
import { counted, didYouMean, inWords, linesOf } from '../../../base/wording.ts';
import type { Resource } from '../../../contract/types.ts';
import type { Context } from '../../command/context.ts';
import { labelOf, nameOf } from '../labels.ts';
import { findNamed, operationFor } from '../records/find-named.ts';

export interface Chosen {
  readonly resource: Resource;
  readonly id: string;
}

interface Choice extends Chosen {
  readonly name: string;
  /** `user alice` */
  readonly label: string;
}

/** Lines that the list may take, and records of each resource that it shows all the same; others are named. */
const shownAtMost = 20;
const leastOfEach = 2;
/** Records of each resource that are known by a part of their names. */
const readOfEach = 500;

/** Records that can be chosen, and how many of them are shown. */
interface Menu {
  readonly choices: readonly Choice[];
  readonly shown: number;
}

/** The form of a question about records. */
interface Asking {
  readonly question: string;
  readonly option: string;
  /** More than one may be given, with commas between. */
  readonly isMany?: boolean;
  /** An empty answer is asked again. */
  readonly isNeeded?: boolean;
}

export type AskRecords = (resources: readonly Resource[], asking: Asking) => Promise<readonly Chosen[]>;

/**
 * Makes the function that asks which records are meant: those that there are stand in a numbered list, shown once, and
 * an answer is a number or a name, also of a record that the list leaves out. It throws `Failure`: `interrupted` where
 * a question is left, and what reading the lists throws.
 */
export function recordAsker(context: Context): AskRecords {
  const { ask, notices } = context;
  const lists = new Map<Resource, Promise<readonly Choice[]>>();
  let shown = '';
  const choicesFor = async (resources: readonly Resource[]): Promise<Menu> => {
    for (const resource of resources)
      if (!lists.has(resource)) lists.set(resource, choicesOf(context, resource));
    const all = await Promise.all(resources.map((resource) => lists.get(resource) ?? []));
    const filled = all.filter((some) => some.length > 0).length;
    const each = Math.max(leastOfEach, Math.floor(shownAtMost / Math.max(1, filled)));
    const first = all.flatMap((some) => some.slice(0, each));
    // What is shown comes first, so that its numbers are its places.
    return { choices: [...first, ...all.flatMap((some) => some.slice(each))], shown: first.length };
  };
  return async (resources, { question, option, isMany = false, isNeeded = false }) => {
    const menu = await choicesFor(resources);
    const names = resources.map(({ name }) => name).join();
    if (shown !== names) notices.say(linesOfMenu(resources, menu));
    shown = names;
    for (;;) {
      const said = (await ask.text(question, { option, initial: '' })).trim();
      if (said === '' && !isNeeded) return [];
      const words = isMany ? said.split(',').map((word) => word.trim()) : [said];
      try {
        const found: Chosen[] = [];
        for (const word of words.filter((each, index) => each !== '' || index === 0))
          found.push(await chosenBy(context, resources, menu.choices, word));
        return found;
      } catch (error) {
        if (!(error instanceof Failure) || !answerable.has(error.kind)) throw error;
        notices.warn(linesOf(error.lines));
      }
    }
  };
}

/** Kinds of failure that another answer mends. */
const answerable = new Set<Failure['kind']>(['not_found', 'conflict', 'usage']);

/** The records of a resource, by name; none where the service shows no list of them. */
async function choicesOf(context: Context, resource: Resource): Promise<readonly Choice[]> {
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
      if (choices.length >= readOfEach) break;
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted' || error.kind === 'unavailable')
      throw error;
  }
  return choices;
}

/** The list of choices: a line each, and how many more there are. */
function linesOfMenu(resources: readonly Resource[], { choices, shown }: Menu): readonly string[] {
  if (choices.length === 0)
    return [`The account has no ${resources.map(({ singular }) => inWords(singular)).join(' or ')} yet.`];
  const more = choices.length - shown;
  return [
    ...choices.slice(0, shown).map(({ label }, index) => `${String(index + 1).padStart(4)}  ${label}`),
    ...(more > 0 ? [`      … and ${counted(more, 'other')}, by name`] : []),
  ];
}

/** The record that an answer means. Throws `Failure`: `not_found`, `conflict`, `usage`. */
async function chosenBy(
  context: Context,
  resources: readonly Resource[],
  choices: readonly Choice[],
  word: string,
): Promise<Chosen> {
  if (word === '') throw new Failure('usage', 'It cannot be empty.');
  const same = word.toLowerCase();
  const named = choices.filter(({ name, label }) => [name.toLowerCase(), label.toLowerCase()].includes(same));
  const [only, other] = named;
  if (only && other)
    throw new Failure(
      'conflict',
      `${named.map(({ label }) => label).join(' or ')}? Give the number in the list.`,
    );
  if (only) return only;
  const placed = /^\d+$/.test(word) ? choices[Number(word) - 1] : undefined;
  if (placed) return placed;
  for (const resource of resources) {
    const found = await unlessMissing(findNamed(context, resource, word));
    if (found) return { resource, id: found.id };
  }
  const kinds = resources.map(({ singular }) => inWords(singular)).join(', ');
  const near = nearest(
    word,
    choices.map(({ name }) => name),
  );
  throw new Failure(
    'not_found',
    `There is no ${kinds.replace(/, ([^,]*)$/, ' or $1')} ${JSON.stringify(word)}.${near === undefined ? '' : didYouMean(near)}`,
  );
}
