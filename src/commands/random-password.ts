import type { Random } from '../host/host.ts';

/** Letters and digits that nobody takes for one another. */
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 20;

/** A password of letters that are equally likely. */
export function randomPassword(random: Random): string {
  const fair = 256 - (256 % letters.length);
  let password = '';
  while (password.length < length)
    for (const byte of random.bytes(length))
      if (byte < fair && password.length < length) password += letters.charAt(byte % letters.length);
  return password;
}
