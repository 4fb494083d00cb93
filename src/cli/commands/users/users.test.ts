import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handlerBench, textOf } from '../../../../test/support/command-run.ts';
import { openWorld } from '../../../../test/support/world.ts';
import { Failure } from '../../../base/failure.ts';
import { usersCommands } from './commands.ts';
import { vcardText } from './vcard.ts';

const alice =
  'username: alice\nfirst_name: Alice\nlast_name: Archer\nemail: alice@acme.example\npassword: old-Secret\n';

async function withAlice() {
  const bench = await handlerBench(usersCommands);
  await bench.run(['users', 'create', '-f', '-'], { stdin: alice });
  return bench;
}

describe('users vcard', () => {
  it('prints a vCard, and the record to scripts', async () => {
    const { run } = await withAlice();
    const { result } = await run(['users', 'vcard', 'alice']);
    expect(textOf(result)).toMatch(
      /^BEGIN:VCARD\r\nVERSION:3\.0\r\nFN:Alice Archer\r\nN:Archer;Alice;;;\r\n/,
    );
    expect(result).toMatchObject({ value: { username: 'alice' } });
  });

  it('writes every field as the conventions specify', () => {
    const user = {
      first_name: 'Anna, B.',
      last_name: 'Doe; Jr',
      email: 'a@example.com',
      timezone: 'Europe/Zurich',
      caller_id: { internal: { number: '0100' }, external: { number: '+15551230000' } },
      profile: {
        birthday: '1990-01-02',
        note: 'one\ntwo',
        nicknames: ['Ann', '', 5, 'An'],
        title: 'Dr',
        role: 'Lead',
        addresses: [{ address: 'Street 1; City', types: ['home', 'x:y'] }, { address: 'Old' }],
      },
    };
    expect(vcardText(user, 'Acme').split('\r\n')).toEqual([
      'BEGIN:VCARD',
      'VERSION:3.0',
      'FN:Anna\\, B. Doe\\; Jr',
      'N:Doe\\; Jr;Anna\\, B.;;;',
      'ORG:Acme',
      'EMAIL:a@example.com',
      'BDAY:1990-01-02',
      'NOTE:one\\ntwo',
      'TITLE:Dr',
      'ROLE:Lead',
      'TZ;VALUE=text:Europe/Zurich',
      'NICKNAME:Ann,An',
      'TEL:0100',
      'TEL:+15551230000',
      'ADR;TYPE=home:;;Street 1\\; City;;;;',
      'ADR;TYPE=intl,postal,parcel,work:;;Old;;;;',
      'END:VCARD',
      '',
    ]);
  });

  it('folds long lines at 75 bytes, between characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const card = vcardText({ first_name: text, profile: { note: text } }, text);
        const lines = card.split('\r\n');
        expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
        const names = card
          .replaceAll('\r\n ', '')
          .split('\r\n')
          .map((line) => line.split(/[:;]/)[0]);
        expect(names.filter((name) => !['ORG', 'NOTE'].includes(name ?? ''))).toEqual([
          'BEGIN',
          'VERSION',
          'FN',
          'N',
          'END',
          '',
        ]);
      }),
    );
  });
});

describe('users password', () => {
  it('reads the password from standard input, and warns that tokens end', async () => {
    const { run, sandbox } = await withAlice();
    const { result, said, requests } = await run(['users', 'password', 'alice', '--password-stdin'], {
      stdin: 'new-Secret\n',
    });
    expect(said).toEqual(['warning: This ends all tokens of user alice.']);
    expect(requests.at(-1)).toMatchObject({ method: 'PATCH', body: { data: { password: 'new-Secret' } } });
    expect(JSON.stringify(result)).not.toContain('new-Secret');
    await expect(sandbox.tokenOf('alice', 'new-Secret')).resolves.toBeTruthy();
  });

  it('asks twice, and rejects entries that differ', async () => {
    const { run, last } = await withAlice();
    await expect(run(['users', 'password', 'alice'], { answers: ['one', 'two'] })).rejects.toThrow(/differ/);
    expect(last().requests.some(({ method }) => method === 'PATCH')).toBe(false);
    await run(['users', 'password', 'alice'], { answers: ['one', 'one'] });
    expect(last().asked).toEqual(['New password of user alice:', 'Repeat it:']);
  });

  it('generates a password, sends it, and prints it once', async () => {
    const { run } = await withAlice();
    const { result, requests } = await run(['users', 'password', 'alice', '--generate']);
    const password = textOf(result);
    expect(password).toMatch(/^[a-zA-Z2-9]{20}$/);
    expect(requests.at(-1)).toMatchObject({ method: 'PATCH', body: { data: { password } } });
    expect(result).toMatchObject({ value: { username: 'alice', generated_password: password } });
  });

  it('shows no password in a dry run', async () => {
    const { run } = await withAlice();
    const { result } = await run(['users', 'password', 'alice', '--password-stdin', '--dry-run'], {
      stdin: 'new-Secret',
    });
    expect(JSON.stringify(result)).not.toContain('new-Secret');
    expect(textOf(result)).toContain('password: set (changed)');
  });
});

describe('users enable and disable', () => {
  it('send only the enabled field', async () => {
    const { run } = await withAlice();
    const { result, requests } = await run(['users', 'disable', 'alice']);
    expect(requests.at(-1)).toMatchObject({ method: 'PATCH', body: { data: { enabled: false } } });
    expect(result.kind === 'done' && result.message).toBe('Disabled user alice.');
    expect((await run(['users', 'enable', 'alice'])).result).toMatchObject({ value: { enabled: true } });
  });

  it('fail for an unknown user', async () => {
    const { run } = await withAlice();
    await expect(run(['users', 'enable', 'bob'])).rejects.toBeInstanceOf(Failure);
  });
});

it('shows the filter field even if the list omits it', async () => {
  const { telctl, addUser } = await openWorld({ like: 'kazoo' });
  await addUser({ username: 'bob', first_name: 'Bob', last_name: 'Baker', enabled: false });
  const off = await telctl('users list --filter enabled=false -o csv');
  expect(off.stdout).toMatch(/^bob,.*,false,/m);
  const on = await telctl('users list --filter enabled=true');
  expect(on.stdout).toMatch(/^admin .* yes /m);
});
