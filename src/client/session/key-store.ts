import { join } from 'node:path';
import type { AsyncEntry } from '@napi-rs/keyring';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { systemReason } from '../../base/reading.ts';
import { messageOf } from '../../base/wording.ts';
import { malformed, type Profile } from './profile-store.ts';
import { readSecretFile } from './secret-sources.ts';

/** Returns the path of a stored profile's API key, when it lies in a file. */
export const keyPath = ({ folders }: Pick<Host, 'folders'>, name: string): string =>
  join(folders.config, 'credentials', `${name}.json`);

type Named = Pick<Profile, 'name' | 'baseUrl' | 'keyStore'>;

/** The stored API key, if there is one. Throws `Failure` for a damaged file, warns of one that is open to others. */
export async function readKey(
  host: Host,
  profile: Named,
  warn: (line: string) => void,
): Promise<string | undefined> {
  if (profile.keyStore === 'keyring') return readFromKeyring(profile);
  if (profile.keyStore !== 'file') return undefined;
  const path = keyPath(host, profile.name);
  const file = readSecretFile(host, path);
  if (file.kind === 'none') return undefined;
  if (file.kind === 'damaged') throw malformed(path, 'it is not a readable JSON object', file.cause);
  for (const line of file.trouble) warn(line);
  if (typeof file.value.api_key !== 'string') throw malformed(path, '"api_key" is missing');
  return file.value.api_key;
}

/** Stores the API key of a profile where the profile says. Throws `Failure` where that cannot be written. */
export async function writeKey(host: Host, profile: Named, apiKey: string): Promise<void> {
  if (profile.keyStore === 'keyring') return inKeyring(profile, (kept) => kept.setPassword(apiKey));
  const path = keyPath(host, profile.name);
  try {
    host.files.writePrivate(path, `${JSON.stringify({ api_key: apiKey }, null, 2)}\n`);
  } catch (error) {
    throw new Failure(
      'failed',
      `The API key cannot be written to ${path} (${systemReason(error) ?? messageOf(error)}).`,
      {
        hint: 'Make the folder writable, or use TELCTL_API_KEY and store nothing.',
        cause: error,
      },
    );
  }
}

export async function removeKey(host: Host, profile: Named): Promise<void> {
  if (profile.keyStore !== 'keyring') return host.files.remove(keyPath(host, profile.name));
  await inKeyring(profile, async (kept) => {
    if ((await kept.getPassword()) !== undefined) await kept.deletePassword();
  });
}

/** The owner of the key: the profile, and its service, since other folders may hold a profile of the same name. */
type KeyName = Pick<Profile, 'name' | 'baseUrl'>;

/** Works on a key in the keyring, whose library is optional: it has no build for some machines, and servers have no keyring. */
async function inKeyring<T>({ name, baseUrl }: KeyName, work: (kept: AsyncEntry) => Promise<T>): Promise<T> {
  const { AsyncEntry } = await import('@napi-rs/keyring').catch((cause: unknown) => {
    throw new Failure('failed', "The library for the operating system's keyring is not installed.", {
      hint: 'Install it: npm install -g @napi-rs/keyring. Or leave --keyring out: the key goes into a file only you can read.',
      cause,
    });
  });
  try {
    return await work(new AsyncEntry('telctl', `${name}@${baseUrl}`));
  } catch (cause) {
    throw new Failure('failed', `The operating system's keyring does not answer (${messageOf(cause)}).`, {
      hint: 'Unlock or start it, or sign in without --keyring.',
      cause,
    });
  }
}

/** The API key of a profile in the keyring of the operating system; `undefined` where it holds none. */
export const readFromKeyring = (name: KeyName): Promise<string | undefined> =>
  inKeyring(name, async (kept) => (await kept.getPassword()) ?? undefined);
