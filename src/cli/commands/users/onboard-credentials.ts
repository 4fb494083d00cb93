import { resolve } from 'node:path';
import type { JsonObject } from '../../../base/json.ts';
import type { Context } from '../../command/context.ts';
import { passwordKey, readPasswords, writePasswords } from '../passwords/passwords-file.ts';
import type { Person } from './onboard-plan.ts';

/** Destination of the passwords of new people: a file, or the terminal, which shows them once. */
export interface CredentialsOutput {
  readonly isFile: boolean;
  /** Writes the passwords before the first request. Throws `Failure` if the file cannot be written. */
  write(people: readonly Person[], realm: string | undefined): void;
  /** Returns the message about where the passwords are, and their part of the JSON. */
  end(
    people: readonly Person[],
    facts: { readonly isNew: boolean; readonly realm: string | undefined },
  ): { readonly words: readonly string[]; readonly lines: readonly string[]; readonly value: JsonObject };
}

const head = ['username', 'password', 'extension', 'sip_username', 'sip_password', 'realm'];

interface CredentialsFile extends CredentialsOutput {
  withKnown(person: Person): Person;
}

/** The file of `--credentials`. Throws `refused` if it exists, unless a run is resumed. */
export function credentialsFile(context: Context, name: string, resumed: boolean): CredentialsFile {
  const file = { file: name, option: '--credentials', head };
  const rows = new Map(
    [...readPasswords(context, file, resumed).values()].map((row) => [passwordKey(row.slice(0, 1)), row]),
  );
  return {
    isFile: true,
    withKnown(person) {
      const { newcomer } = person;
      const [, known = '', , , sip = ''] = rows.get(passwordKey([newcomer.username])) ?? [];
      const password = known || newcomer.password;
      const phone = newcomer.phone && { ...newcomer.phone, password: sip || newcomer.phone.password };
      context.hide([password, ...(phone ? [phone.password] : [])]);
      return { ...person, newcomer: { ...newcomer, phone, password } };
    },
    write(people, realm = '') {
      for (const { newcomer, has } of people) {
        const { username, password, extension, phone } = newcomer;
        const key = passwordKey([username]);
        const [, known = '', , ...knownSip] = rows.get(key) ?? [];
        const isNewPhone = phone && !has.has('devices');
        const sip = isNewPhone ? [username, phone.password, realm] : [...knownSip, '', '', ''].slice(0, 3);
        rows.set(key, [username, has.has('users') ? known : password, extension, ...sip]);
      }
      writePasswords(context, file, rows);
    },
    end(people, { isNew }) {
      // No user has these passwords yet, and without the file the same command can run again.
      const isUseless = !isNew && !resumed && people.every(({ has }) => !has.has('users'));
      if (isUseless) context.host.files.remove(resolve(context.host.cwd, name));
      return { words: isUseless ? [] : [`Passwords: ${name} (0600).`], lines: [], value: {} };
    },
  };
}

/** Prints the generated passwords of one person once, at the end. */
export const printedCredentials = ({ notices }: Context): CredentialsOutput => ({
  isFile: false,
  write(people) {
    const secrets = people.flatMap(({ newcomer: { isGenerated, password, phone } }) => [
      ...(isGenerated ? [password] : []),
      ...(phone ? [phone.password] : []),
    ]);
    notices.disclose(secrets, { said: true });
  },
  end([person], { isNew, realm }) {
    if (person === undefined || !isNew) return { words: [], lines: [], value: {} };
    const { username, phone, password, isGenerated } = person.newcomer;
    const sip = phone && { username, password: phone.password, realm: realm ?? null };
    const server = realm ?? 'the realm of the account';
    return {
      words: [],
      lines: [
        ...(isGenerated ? [`First password of ${username}, shown once: ${password}`] : []),
        ...(sip
          ? [`For the phone, shown once: user ${username}, password ${sip.password}, server ${server}`]
          : []),
      ],
      value: { ...(isGenerated ? { generated_password: password } : {}), ...(sip ? { sip } : {}) },
    };
  },
});
