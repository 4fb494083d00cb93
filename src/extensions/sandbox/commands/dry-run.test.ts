import { expect, test } from 'vitest';
import { serveSandbox } from '../../../../test/support/served-sandbox.ts';

test('--dry-run describes changes of a sandbox without making them', async () => {
  const { telctl, json, addUser, state } = await serveSandbox('--memory');
  await addUser('alice');
  await telctl('sandbox snapshot save kept');
  const { baseUrl } = state();
  const before = await json('sandbox status');
  for (const [line, words] of [
    ['clock advance 2h', /^Would turn the sandbox's clock to \d{4}-\S+Z, 2 hours ahead\. /],
    ['clock set 2099-01-01', /^Would turn the sandbox's clock to 2099-01-01T00:00:00Z, /],
    ['faults add --status 503 --times 2', /^Would add the fault: \* answers 503, 2 times\. /],
    ['faults clear', /^Would clear all faults\. /],
    ['snapshot save kept', /^Would replace the snapshot kept\. /],
    ['snapshot save other', /^Would save the snapshot other\. /],
    ['snapshot load kept', /^Would replace everything in the sandbox by the snapshot kept\. /],
    ['snapshot delete kept', /^Would delete the snapshot kept\. /],
    ['reset', /^Would erase everything in the sandbox default\. /],
    ['reset --account acme', /^Would erase everything in account acme of the sandbox\. /],
    ['stop', /^Would stop the sandbox default at http/],
    ['start --name other', /^Would start the sandbox other\. /],
    ['exec --dry-run -- no-such-program', /^Would run no-such-program against a fresh sandbox\. /],
  ] as const) {
    const run = await telctl(`sandbox ${line.includes('--dry-run') ? line : `${line} --dry-run --yes`}`);
    expect(run, line).toMatchObject({ code: 0, stdout: '' });
    expect(run.stderr, line).toMatch(words);
    expect(run.stderr, line).toContain('Nothing was changed.');
  }
  const wrong = await telctl('sandbox clock set 2001-01-01 --dry-run');
  expect(wrong.stderr).toContain('The clock only goes forward');
  const { clock: _then, ...same } = before;
  expect(await json('sandbox status')).toMatchObject({ ...same, clock: { offset_ms: 0 } });
  expect(state().baseUrl).toBe(baseUrl);
  expect((await telctl('users list -o name')).stdout.trim().split('\n').sort()).toEqual(['admin', 'alice']);
});
