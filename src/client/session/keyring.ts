import { Failure } from '../../base/failure.ts';
import { messageOf } from '../../base/wording.ts';
import type { Profile } from './profile-store.ts';

const service = 'telctl';

/** The owner of the key: the profile, and its service, since other folders may hold a profile of the same name. */
export type KeyName = Pick<Profile, 'name' | 'baseUrl'>;

/** The keyring's library is optional: it has no build for some machines, and servers have no keyring. */
async function entry({ name, baseUrl }: KeyName) {
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    return new AsyncEntry(service, `${name}@${baseUrl}`);
  } catch (error) {
    throw new Failure('failed', "The library for the operating system's keyring is not installed.", {
      hint: 'Install it: npm install -g @napi-rs/keyring. Or leave --keyring out: the key goes into a file only you can read.',
      cause: error,
    });
  }
}

function locked(error: unknown): Failure {
  const said = messageOf(error);
  return new Failure('failed', `The operating system's keyring does not answer (${said}).`, {
    hint: 'Unlock or start it, or sign in without --keyring.',
    cause: error,
  });
}

/** The API key of a profile in the keyring of the operating system; `undefined` where it holds none. */
export async function readFromKeyring(name: KeyName): Promise<string | undefined> {
  const kept = await entry(name);
  try {
    return (await kept.getPassword()) ?? undefined;
  } catch (error) {
    throw locked(error);
  }
}

export async function writeToKeyring(name: KeyName, apiKey: string): Promise<void> {
  const kept = await entry(name);
  try {
    await kept.setPassword(apiKey);
  } catch (error) {
    throw locked(error);
  }
}

/** Removes the API key of a profile from the keyring; nothing happens where it holds none. */
export async function removeFromKeyring(name: KeyName): Promise<void> {
  const kept = await entry(name);
  try {
    if ((await kept.getPassword()) !== undefined) await kept.deletePassword();
  } catch (error) {
    throw locked(error);
  }
}
