import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { readProfiles } from '../../session/profile-store.ts';
import { isSignedIn, profileValue } from './profile-value.ts';

/** Lists the stored profiles. */
export async function listProfiles(_: unknown, context: Context): Promise<ListResult> {
  const { profiles, defaultName } = readProfiles(context.host);
  return {
    kind: 'list',
    items: [...profiles.values()].map((profile) => ({
      ...profileValue(profile, defaultName),
      signed_in: isSignedIn(context, profile),
    })),
    columns: [
      { header: 'NAME', paths: ['name'] },
      { header: 'DEFAULT', paths: ['default'], show: 'flag' },
      { header: 'SERVICE', paths: ['base_url'] },
      { header: 'ACCOUNT', paths: ['account_name'] },
      { header: 'SIGN-IN', paths: ['method'] },
      { header: 'SIGNED IN', paths: ['signed_in'], show: 'flag' },
      { header: 'PROTECTION', paths: ['protect'] },
    ],
    noun: 'profiles',
  };
}
