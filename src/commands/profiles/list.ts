import type { Context } from '../../cli/context.ts';
import { readProfiles } from '../../session/profile-store.ts';
import type { ListResult } from '../../terminal/result.ts';
import { profileValue } from './profile-value.ts';

/** Lists the stored profiles. */
export async function listProfiles(_: unknown, { host }: Context): Promise<ListResult> {
  const { profiles, defaultName } = readProfiles(host);
  return {
    kind: 'list',
    items: [...profiles.values()].map((profile) => profileValue(profile, defaultName)),
    columns: [
      { header: 'NAME', paths: ['name'] },
      { header: 'DEFAULT', paths: ['default'], show: 'flag' },
      { header: 'SERVICE', paths: ['base_url'] },
      { header: 'ACCOUNT', paths: ['account_name'] },
      { header: 'SIGN-IN', paths: ['method'] },
      { header: 'PROTECTION', paths: ['protect'] },
    ],
    noun: 'profiles',
  };
}
