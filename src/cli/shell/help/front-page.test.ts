import { afterEach, expect, test } from 'vitest';
import { seededRandom, turnedClock } from '../../../../test/support/clock.ts';
import { fakeHost, makeFolders, type TestFolders, writeFiles } from '../../../../test/support/fake-host.ts';
import { parseLine } from '../parse-line.ts';
import { runCli } from '../run-cli.ts';
import { frontPageJobs } from './front-page.ts';

const open: TestFolders[] = [];
afterEach(() => {
  for (const folders of open.splice(0)) folders.remove();
});

/** The page of a command line, in an empty home but for these files. */
async function pageOf(words: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const folders = makeFolders();
  open.push(folders);
  writeFiles(folders.home, files);
  const { host, stdout } = fakeHost({
    folders,
    clock: turnedClock(),
    random: seededRandom(),
    tty: true,
    width: 80,
  });
  expect(await runCli(words, host)).toBe(0);
  return stdout();
}

test('fits a screen of 80 by 24, and shows how to start or the current account', async () => {
  const empty = await pageOf([]);
  expect(empty).toContain('Not signed in. Start with one of these:');
  expect(await pageOf(['help'])).toBe(empty);
  const signedIn = await pageOf([], {
    '.config/telctl/config.json': JSON.stringify({
      default: 'work',
      profiles: {
        work: {
          ...{ baseUrl: 'https://api.example', prefix: '/v2', method: 'api-key' },
          ...{ accountId: 'a'.repeat(32), accountName: 'acme' },
        },
      },
    }),
  });
  expect(signedIn).toContain('Profile work: acme at https://api.example.');
  expect(signedIn).not.toContain('telctl login');
  for (const page of [empty, signedIn]) {
    const lines = page.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(22);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  }
});

test.each(frontPageJobs.flatMap(([, lines]) => lines.split(', ')))(
  'lists only lines that can be typed: %s',
  async (line) => {
    const parsed = await parseLine(line.split(' ').slice(1), {});
    expect(['run', 'help']).toContain(parsed.kind);
    if (line.startsWith('telctl help')) expect(await pageOf(line.split(' ').slice(1))).not.toBe('');
  },
);

test.each(['commands', 'options'])('telctl help %s has a page', async (topic) => {
  const page = await pageOf(['help', topic]);
  expect(page).toMatch(topic === 'commands' ? / users +People/ : /--profile NAME/);
});
