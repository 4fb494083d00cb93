import { expect, test } from 'vitest';
import { findCommand } from '../find-command.ts';
import { helpPage } from './help-page.ts';
import type { Columns } from './layout.ts';
import { topicPage, topics } from './topics.ts';

async function pageOf(line: string, columns: Columns): Promise<string> {
  const found = await findCommand(line === '' ? [] : line.split(' '));
  return helpPage(found.kind === 'command' ? found.command : found, columns);
}

/** Text that is typed or parsed as it stands, which is never broken. */
const verbatim = /^ {2}(?:telctl |# |\{")/;

test.each([60, 80, 120])('help fits a terminal with %d columns', async (columns) => {
  const pages = ['', 'users', 'webhooks create', 'sandbox start'].map((line) => pageOf(line, columns));
  for (const page of [...(await Promise.all(pages)), ...topics.map((topic) => topicPage(topic, columns))]) {
    expect(page.split('\n').filter((line) => line.length > columns && !verbatim.test(line))).toEqual([]);
  }
});

test('help in a pipe has one line per option, and long choices do not widen the columns', async () => {
  const page = await pageOf('webhooks create', undefined);
  expect(page).toMatch(/^ {6}--hook HOOK {2,}Event to subscribe to \(such as channel_create, .*\)$/m);
  expect(page).toMatch(/^ {6}--http-verb get\|post\|put {2,}Method of the requests$/m);
});
