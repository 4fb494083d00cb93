import { expect, test } from 'vitest';
import { officeWithWebhook } from '../support/small-office.ts';
import { openPaintedTerminal } from '../support/terminal-rows.ts';
import { openWorld, type RunOptions, type World } from '../support/world.ts';

const widths = [40, 80, 120] as const;
const long = 'Reception of the northern branch office, second floor, beside the lift';

/** Lines whose output is compared, with their input. */
const lines: readonly (readonly [string, Omit<RunOptions, 'width' | 'tty'>])[] = [
  ['--help', {}],
  ['users --help', {}],
  ['apply --help', {}],
  ['help options', {}],
  ['help errors', {}],
  ['explain callflows', {}],
  ['users list', {}],
  ['menus list', {}],
  ['users get zoe', {}],
  ['menus list --fields id,name,retries,hunt,allow_record_from_offnet', {}],
  ['callflows lint', {}],
  ['search menu Reception', {}],
  ['menus delete Main', { answers: [{ to: /\?/, type: 'n' }] }],
  ['plan -f office.yaml', { files: { 'office.yaml': officeWithWebhook } }],
  [
    'apply -f office.yaml',
    { files: { 'office.yaml': officeWithWebhook }, answers: [{ to: /\?/, type: 'n' }] },
  ],
  ['apply -f office.yaml --yes', { files: { 'office.yaml': officeWithWebhook } }],
  ['log', {}],
  [
    'users import people.csv --yes',
    { files: { 'people.csv': `username,first_name,last_name,password\nann,Ann,${long},first-sign-in\n` } },
  ],
  ['users delete ann --dry-run', {}],
  ['users get nobody', {}],
  ['users lst', {}],
  ['limits get', {}],
  ['doctor', {}],
];

/**
 * Returns true for text that telctl never breaks, so that it can be copied: usage, examples, values of one record,
 * and words as long as paths and ids.
 */
const isUnbreakable = (row: string): boolean =>
  /^(?:Usage: | {2}(?:#|telctl )|(?:id|last_name) {2,})/.test(row) ||
  /[^ ⏎]{26}/.test(row.replaceAll('⏎', ''));

async function openWorldWithRecords(): Promise<World> {
  const world = await openWorld();
  await world.addUser({ username: 'zoe', first_name: 'Zoë 日本語', last_name: long });
  for (const name of ['Main', long, '日本語のとても長い名前のメニュー', '👩‍👧‍👦 family'])
    await world.service('PUT', 'menus', { name });
  return world;
}

test.each(widths)('no output is wider than a terminal of %i columns, and every color ends', async (width) => {
  const world = await openWorldWithRecords();
  const wrong: string[] = [];
  for (const [line, options] of lines) {
    const terminal = openPaintedTerminal(width);
    await world.telctl(line, {
      ...options,
      ...{ tty: true, width, env: { NO_COLOR: '', CLICOLOR_FORCE: '1', TELCTL_PAGER: '' } },
      wrote: (_, chunk) => terminal.write(chunk),
    });
    const { rows, wrapped, isPlainAtEnd } = await terminal.end();
    const name = `${width}: telctl ${line}`;
    if (rows.join('').trim() === '') wrong.push(`${name}: shows no text`);
    if (!isPlainAtEnd) wrong.push(`${name}: a color does not end`);
    wrong.push(
      ...wrapped.filter((row) => !isUnbreakable(row)).map((row) => `${name}: runs over the edge: ${row}`),
    );
    wrong.push(
      ...rows
        .filter((row) => /\ufffd|undefined|\[object|NaN|\[\d+m/.test(row))
        .map((row) => `${name}: garbled: ${row}`),
    );
  }
  expect(wrong).toEqual([]);
});
