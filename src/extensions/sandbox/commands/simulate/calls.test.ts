import { expect, test } from 'vitest';
import { serveSandbox } from '../../../../../test/support/served-sandbox.ts';
import type { JsonObject } from '../../../../base/json.ts';

const outside = '+15551230009';

/** A sandbox with alice at 2001, her box, and a menu at +15551230000 that leads to her. */
async function office() {
  const { telctl } = await serveSandbox('--memory');
  const make = async (noun: string, record: JsonObject): Promise<JsonObject> => {
    const run = await telctl(`${noun} create -f - -o json`, { stdin: JSON.stringify(record) });
    if (run.code !== 0) throw new Error(run.stderr);
    return JSON.parse(run.stdout);
  };
  const names = { username: 'alice', first_name: 'Alice', last_name: 'Archer' };
  const alice = await make('users', { ...names, password: 'first-sign-in', presence_id: '2001' });
  const box = await make('vmboxes', { mailbox: '2001', name: 'Alice box' });
  const menu = await make('menus', { name: 'Main menu' });
  const toBox = { _: { module: 'voicemail', data: { id: box.id }, children: {} } };
  const toAlice = { module: 'user', data: { id: alice.id, timeout: 20 }, children: toBox };
  const flow = { module: 'menu', data: { id: menu.id }, children: { 1: toAlice } };
  await make('callflows', { name: 'Main line', numbers: ['+15551230000'], flow });
  return { telctl };
}

test('a call shows its path through the callflow and its end', async () => {
  const { telctl } = await office();
  const call = await telctl(
    `sandbox call --from ${outside} --to 5551230000 --digits 1 --no-answer --duration 60`,
  );
  expect(call).toEqual({
    code: 0,
    stderr: '',
    stdout: [
      '+15551230009 → +15551230000  Main line',
      'menu "Main menu"  (The caller presses 1)',
      '└─ 1  user "alice"  (not answered in 20 s)',
      '      └─ _  voicemail "Alice box"  (a message of 25 s is left)',
      'Message of 25 s in voicemail box "Alice box". 60 s in all, 60 s of them answered; 6 events in acme.',
      '',
    ].join('\n'),
  });
  const out = await telctl(['sandbox', 'call', '--from', 'alice', '--to', '+15551230009', '--busy']);
  expect(out.stdout).toBe(
    '2001 → +15551230009\noutside "+15551230009"  (busy)\nNo carrier accepted the call: USER_BUSY. 3 s in all; 4 events in acme.\n',
  );
});

test('scripts get the call as data, with its events and their ids', async () => {
  const { telctl } = await office();
  const call = JSON.parse((await telctl('sandbox call --from alice --to +15551230009 -o json')).stdout);
  expect(call).toMatchObject({
    outcome: 'answered',
    from: '2001',
    duration_seconds: 30,
  });
  expect(call.legs).toHaveLength(2);
  for (const event of call.events) {
    expect(event.id).toMatch(/^[0-9a-f]{10}$/);
    expect(event.payload.hook_event).toBe(event.hook);
  }
});

test('missing records, unanswered numbers and exceeded limits have different exit codes', async () => {
  const { telctl } = await office();
  const failed = async (line: string) => {
    const { code, stdout, stderr } = await telctl(line);
    expect(stdout).toBe('');
    return [code, stderr.trimEnd()];
  };
  expect(await failed('sandbox call --to 2001')).toEqual([
    2,
    expect.stringMatching(/^The option --from is missing\.\n--from: Caller/),
  ]);
  expect(await failed('sandbox call --from alice --to 2001 --busy --no-answer')).toEqual([
    2,
    'Give --no-answer or --busy, not both.',
  ]);
  expect((await failed(`sandbox call --from ${outside} --to 2001 --digits x`))[0]).toBe(2);
  expect(await failed(`sandbox call --from ${outside} --to 7777`)).toEqual([
    5,
    'No callflow of acme matches "7777" by number, by pattern or as no_match.\nList callflows and their numbers: telctl callflows list',
  ]);
  expect((await failed(`sandbox call --from ${outside} --to 7777 --account nobody`))[0]).toBe(5);
  await telctl('limits set --calls 1');
  expect((await telctl('sandbox call --from alice --to +15551230009 --duration 60 --real-time')).code).toBe(
    0,
  );
  const [code, words] = await failed('sandbox call --from alice --to +15551230009');
  expect(code).toBe(9);
  expect(words).toContain('acme accepts no more calls: the limit "calls" is 1, with 1 in progress.');
  expect(words).toMatch(/The next call ends in \d+ s: telctl sandbox clock advance \d+s/);
});

test('voicemail messages, SMS and faxes can be simulated by commands', async () => {
  const { telctl } = await office();
  const message = await telctl(`sandbox voicemail --box 2001 --from ${outside} --seconds 4 --text Hello`);
  expect(message).toMatchObject({ code: 0, stdout: '' });
  expect(message.stderr).toMatch(
    /^Message of 4 s from \+15551230009 in voicemail box "Alice box" {2}\d{6}-[0-9a-f]{32}\n$/,
  );
  const listed = JSON.parse((await telctl('vmboxes messages list 2001 -o json')).stdout);
  expect(listed).toMatchObject([{ length: 4000, transcription: { text: 'Hello' } }]);
  const fax = await telctl(`sandbox fax --from ${outside} --to +15555550199 --pages 2`);
  expect(fax.stderr).toMatch(/^Fax of 2 pages from \+15551230009 in the inbox of acme {2}[0-9a-f]{32}\n$/);
  const sms = await telctl(`sandbox sms --from ${outside} --to +15555550199 --body Hello -o json`);
  expect(JSON.parse(sms.stdout)).toMatchObject({ account_name: 'acme', events: [{ hook: 'sms' }] });
  expect((await telctl(`sandbox sms --from ${outside} --to +15555550199`)).code).toBe(2);
  expect((await telctl(`sandbox voicemail --box 999 --from ${outside}`)).code).toBe(5);
});

test('with --dry-run, a call shows its path and stores no records', async () => {
  const { telctl } = await office();
  const call = await telctl(
    `sandbox call --from ${outside} --to +15551230000 --digits 1 --no-answer --dry-run`,
  );
  expect(call).toMatchObject({ code: 0, stderr: 'Dry run: no records stored, no events sent.\n' });
  expect(call.stdout).toContain('voicemail "Alice box"');
  expect((await telctl('vmboxes messages list 2001 -o json')).stdout).toBe('[]\n');
});

test('with --dry-run, messages, faxes and SMS are described but not delivered', async () => {
  const { telctl } = await office();
  const nothing = 'Dry run: no records stored, no events sent.\n';
  for (const [line, words] of [
    [
      `voicemail --box 2001 --from ${outside}`,
      'Message of 10 s from +15551230009 in voicemail box "Alice box"',
    ],
    [`fax --from ${outside} --to +15555550199`, 'Fax of 1 page from +15551230009 in the inbox of acme'],
    [`sms --from alice --to ${outside} --body Hello`, 'SMS from 2001 to +15551230009 in acme'],
  ] as const)
    expect(await telctl(`sandbox ${line} --dry-run`), line).toEqual({
      ...{ code: 0, stdout: '', stderr: `${nothing}Would simulate: ${words}\n` },
    });
  expect((await telctl('vmboxes messages list 2001 -o json')).stdout).toBe('[]\n');
  expect((await telctl('faxes inbox list -o json')).stdout).toBe('[]\n');
  const unknown = await telctl(`sandbox voicemail --box Alicebx --from ${outside} --dry-run`);
  expect(unknown).toMatchObject({ code: 5, stdout: '' });
});

test('digits without a prompt are reported', async () => {
  const { telctl } = await office();
  const call = await telctl(`sandbox call --from ${outside} --to +15551230000 --digits 1,5,6`);
  expect(call).toMatchObject({ code: 0 });
  expect(call.stdout).toContain('Answered by alice.');
  expect(call.stderr).toContain('Digits not dialed, because no step asked for them: 5, 6.');
  const asData = await telctl(`sandbox call --from alice --to ${outside} --digits 7 -o json`);
  expect(JSON.parse(asData.stdout)).toMatchObject({ digits_left: ['7'] });
  const wrong = await telctl(`sandbox call --from ${outside} --to 2001 --digits abc`);
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toContain('--digits 2,timeout,2001');
});

test('errors suggest the nearest caller, mailbox or account', async () => {
  const { telctl } = await office();
  for (const [line, name] of [
    ['call --from alcie --to 2001', 'alice'],
    [`voicemail --box alicebx --from ${outside}`, 'Alice box'],
    [`call --from ${outside} --to 2001 --account acmee`, 'acme'],
    ['reset --yes --account acmee', 'acme'],
  ] as const) {
    const run = await telctl(`sandbox ${line}`);
    expect(run, line).toMatchObject({ code: 5, stdout: '' });
    expect(run.stderr, line).toContain(`Did you mean ${name}?`);
  }
});
