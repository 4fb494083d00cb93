import { Failure } from '../../base/failure.ts';
import { nearest } from '../../base/nearest.ts';
import { didYouMean } from '../../base/wording.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { findCommand } from '../find-command.ts';
import { helpPage } from '../help/help-page.ts';
import { topicPage, topics } from '../help/topics.ts';
import { nouns } from '../registry.ts';
import type { HelpInput } from './commands.ts';

const page = (text: string): Result => ({ kind: 'document', text, verbatim: true });

/** Handler of `telctl help`. Throws `usage` for words that are neither a topic nor a command. */
export async function showHelp(input: HelpInput, { host }: Pick<Context, 'host'>): Promise<Result> {
  const columns = host.stdout.isTTY ? host.stdout.columns : undefined;
  const [first, ...more] = input.words;
  const topic =
    more.length === 0 ? topics.find(({ name, alias }) => name === first || alias === first) : undefined;
  if (topic) return page(topicPage(topic, columns));
  const known = [
    ...topics.flatMap(({ name, alias = name }) => [name, alias]),
    ...nouns.map(({ name }) => name),
  ];
  if (first !== undefined && !nouns.some(({ name, alias }) => name === first || alias === first)) {
    const near = nearest(first, known);
    throw new Failure('usage', `There is no help on ${JSON.stringify(first)}.${didYouMean(near)}`, {
      hint: `Topics: ${topics.map(({ name }) => name).join(', ')}`,
    });
  }
  const found = await findCommand(input.words);
  return page(await helpPage(found.kind === 'command' ? found.command : found, columns));
}
