import { resolve } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { prefixOf } from '../../session/detect-prefix.ts';
import type { Profile } from '../../session/profile.ts';
import { profileNamed, readProfiles } from '../../session/profile-store.ts';
import type { Setting } from '../../session/settings.ts';
import { changeProfiles } from '../../session/write-profiles.ts';
import type { profileArguments, setOptions } from './commands.ts';
import { profileValue } from './profiles.ts';

type SetInput = InputOf<typeof setOptions, typeof profileArguments>;

/** Changes what a profile says of protection, prefix, account, output and certificates. */
export async function setProfile(input: SetInput, context: Context): Promise<Result> {
  const { host } = context;
  const { name } = input;
  const { defaultName, ...stored } = readProfiles(host);
  const changed = changedProfile(profileNamed({ ...stored, defaultName }, name), input, context);
  await changeProfiles(host, ({ profiles, ...rest }) => ({
    ...rest,
    profiles: new Map(profiles).set(name, changed),
  }));
  return { kind: 'done', message: `Changed profile "${name}".`, value: profileValue(changed, defaultName) };
}

const given = <T>({ source, value }: Setting<T>): T | undefined => (source === 'option' ? value : undefined);

/** The profile with the new settings; the old object where the key is left out. Throws `usage` where nothing changes. */
function changedProfile(profile: Profile, input: SetInput, { settings, host }: Context): Profile {
  const account = given(settings.account);
  const output = given(settings.output);
  const caFile = given(settings.caFile);
  const clientCert = given(settings.clientCert);
  const clientKey = given(settings.clientKey);
  if (clientCert === undefined && clientKey !== undefined)
    throw new Failure('usage', '--client-key needs --client-cert FILE.');
  const unset = new Set<string>(input.unset);
  if (input.protect === 'none') unset.add('protect');
  const set: Partial<Profile> = {
    ...(input.protect === undefined || input.protect === 'none' ? {} : { protect: input.protect }),
    ...(input.prefix === undefined ? {} : { prefix: prefixOf(input.prefix, '--prefix') }),
    ...(account === undefined ? {} : { account }),
    ...(output === undefined ? {} : { output }),
    ...(caFile === undefined ? {} : { caFile: resolve(host.cwd, caFile) }),
    ...(clientCert === undefined ? {} : { clientCert: resolve(host.cwd, clientCert) }),
    ...(clientKey === undefined ? {} : { clientKey: resolve(host.cwd, clientKey) }),
  };
  if (Object.keys(set).length === 0 && unset.size === 0) {
    throw new Failure('usage', 'Nothing to set was given.', {
      hint: 'Give --protect, --prefix, --account, --output, --ca-file, --client-cert or --unset.',
    });
  }
  const { account: oldAccount, output: oldOutput, caFile: oldCaFile, protect, ...others } = profile;
  const { clientCert: oldCert, clientKey: oldKey, ...fixed } = others;
  // The pair goes together.
  const keepsClient = clientCert === undefined && !unset.has('client-cert');
  return {
    ...fixed,
    ...(oldAccount === undefined || unset.has('account') ? {} : { account: oldAccount }),
    ...(oldOutput === undefined || unset.has('output') ? {} : { output: oldOutput }),
    ...(oldCaFile === undefined || unset.has('ca-file') ? {} : { caFile: oldCaFile }),
    ...(oldCert === undefined || !keepsClient ? {} : { clientCert: oldCert }),
    ...(oldKey === undefined || !keepsClient ? {} : { clientKey: oldKey }),
    ...(protect === undefined || unset.has('protect') ? {} : { protect }),
    ...set,
  };
}
