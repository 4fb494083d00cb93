import { join, resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import { findNearest } from '../../../base/nearest.ts';
import { didYouMean } from '../../../base/wording.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { findCommand } from '../find-command.ts';
import { errorParts, isErrorKind } from '../help/errors-topic.ts';
import { helpPage, nounsPage, optionsPage } from '../help/help-page.ts';
import { topicPage, topics } from '../help/topics.ts';
import { allNouns } from '../registry.ts';
import type { HelpInput } from './commands.ts';

const page = (text: string): Result => ({ kind: 'document', text, verbatim: true });

/** Handles `telctl help`. Throws `usage` for words that match no topic, command or help entry. */
export async function showHelp(input: HelpInput, { host }: Pick<Context, 'host'>): Promise<Result> {
  if (input.man !== undefined) return writeManual(resolve(host.cwd, input.man), host);
  const columns = host.stdout.isTTY ? host.stdout.columns : undefined;
  const [first, ...more] = input.words;
  if (more.length === 0 && first === 'options') return page(optionsPage(columns));
  // `telctl help commands` shows the list of all commands instead of the page of the noun `commands`.
  if (more.length === 0 && first === 'commands') return page(nounsPage(columns));
  const topic =
    more.length === 0 ? topics.find(({ name, alias }) => name === first || alias === first) : undefined;
  if (topic) return page(topicPage(topic, columns));
  if (more.length === 0 && isErrorKind(first)) return page(topicPage({ parts: errorParts(first) }, columns));
  const known = [
    'options',
    ...topics.flatMap(({ name, alias = name }) => [name, alias]),
    ...allNouns().map(({ name }) => name),
  ];
  if (first !== undefined && !allNouns().some(({ name, alias }) => name === first || alias === first)) {
    const typed = input.words.join(' ');
    const found = await (await import('../help/words-page.ts')).wordsPage(input.words, columns);
    if (found !== undefined) return page(found);
    const near = findNearest(more.length === 0 ? first : typed, known) ?? more.find(isErrorKind);
    throw new Failure('usage', `There is no help on ${JSON.stringify(typed)}.${didYouMean(near)}`, {
      hint: `Topics: commands, options, ${topics.map(({ name }) => name).join(', ')}`,
    });
  }
  const found = await findCommand(input.words);
  return page(await helpPage(found.kind === 'command' ? found.command : found, columns));
}

/** Writes the manual pages to the subfolders that `man` reads. Throws `Failure` if the build has no manual pages. */
function writeManual(
  folder: string,
  { files, processes }: Pick<Context['host'], 'files' | 'processes'>,
): Result {
  const pages = processes.manualPages();
  if (pages.size === 0)
    throw new Failure('failed', 'This copy of telctl has no manual pages, because it was not built.', {
      hint: 'In a checkout, run npm run build.',
    });
  for (const [name, text] of pages) files.writePublic(join(folder, `man${name.at(-1)}`, name), text);
  return { kind: 'done', message: `Wrote ${pages.size} manual pages to ${folder}` };
}
