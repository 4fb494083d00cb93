import { Failure } from '../base/failure.ts';
import type { InputOf } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { devices } from '../contract/resources/devices.ts';
import { users } from '../contract/resources/users.ts';
import { findNamed, pathTo } from './generic/find-named.ts';

/** Options that say whose: of a user, or of a device. */
export const ownerOptions = {
  user: {
    flag: 'user',
    value: 'USER',
    doc: 'Of this user, by id or username',
    completes: { resource: 'users' },
    excludes: ['device'],
  },
  device: {
    flag: 'device',
    value: 'DEVICE',
    doc: 'Of this device, by id or name',
    completes: { resource: 'devices' },
  },
} as const;

/** A user or a device, as the end of an operation's verb and as parameters of its path. */
export interface Owner {
  readonly of: 'user' | 'device';
  readonly path: Readonly<Record<string, string>>;
  /** For messages: `user alice`. */
  readonly label: string;
}

/** The user or device that the options name; `undefined` where they name none. */
async function ownerIn(
  { user, device }: InputOf<typeof ownerOptions>,
  context: Context,
): Promise<Owner | undefined> {
  const [resource, of, word] =
    user === undefined ? ([devices, 'device', device] as const) : ([users, 'user', user] as const);
  if (word === undefined) return undefined;
  const { id } = await findNamed(context, resource, word);
  return { of, path: pathTo(resource, id), label: `${of} ${word}` };
}

/** The same, where one has to be named. Throws `Failure` of kind `usage` for neither. */
export async function neededOwner(input: InputOf<typeof ownerOptions>, context: Context): Promise<Owner> {
  const owner = await ownerIn(input, context);
  if (owner) return owner;
  throw new Failure('usage', 'Say whose: --user USER or --device DEVICE.');
}
