import type { Host } from '../../../base/host/host.ts';
import { environmentName, speakerOf, speakingVariable } from '../../../client/session/choose-identity.ts';
import { type ProfileMachine, readProfiles } from '../../../client/session/profile-store.ts';
import { type Place, readDirectorySettings } from '../../../client/session/settings.ts';
import { type Columns, pageText } from './layout.ts';

/** Purposes of people, and the command line for each. A test runs each through the parser. */
export const jobs = [
  ['see what an account has', 'telctl users list, telctl callflows show MAIN --as tree'],
  ['change one thing', 'telctl users edit alice'],
  ['set up a new user', 'telctl users onboard'],
  ['keep an account in Git', 'telctl export, telctl help manifests'],
  ['do it in many accounts', 'telctl help many-accounts'],
  ['find out what happens to a call', 'telctl callflows trace +12125550140'],
  ['find where something is used', 'telctl find alice'],
  ['repair webhooks', 'telctl webhooks health'],
  ['see what changed, take it back', 'telctl log, telctl undo'],
] as const;

const beginnings = [
  ['telctl login', 'sign in to a service'],
  ['telctl sandbox start', 'try everything on this machine first'],
] as const;

export type FrontMachine = ProfileMachine & Pick<Host, 'cwd' | 'env'>;

/** The line that says where a command would go, or `undefined` where nobody is signed in. */
function whereTo(host: FrontMachine): string | undefined {
  const { env } = host;
  const variable = (from: string): Place<string> => ({
    source: 'environment',
    from,
    value: env[from] || undefined,
  });
  try {
    const { profile, baseUrl, own } = speakerOf(env, readProfiles(host), {
      named: [variable('TELCTL_PROFILE')],
      directory: { source: 'directory', from: '', value: readDirectorySettings(host)?.values.profile },
      addresses: {
        option: { source: 'option', from: '', value: undefined },
        variable: variable('TELCTL_BASE_URL'),
      },
    });
    if (profile.value === environmentName)
      return baseUrl.value && `At ${baseUrl.value}, signed in by ${speakingVariable(env)}.`;
    if (!own) return undefined;
    const account = own.accountName ?? own.accountId;
    return `Profile ${own.name}: ${own.username ? `${own.username} of ` : ''}${account} at ${own.baseUrl}. Others: telctl profiles list`;
  } catch {
    return 'The stored profiles cannot be read: telctl doctor says why.';
  }
}

/** Page of `telctl` and `telctl help`: where one is, what people do most, and where the rest is told. */
export function frontPage(host: FrontMachine, columns: Columns): string {
  const where = whereTo(host);
  return pageText(
    [
      {
        kind: 'text',
        text: 'telctl administers accounts, users, callflows, limits and webhooks of a telephony service.',
      },
      where === undefined
        ? { kind: 'rows', heading: 'Not signed in. Start with one of these:', rows: beginnings, least: 31 }
        : { kind: 'text', text: where },
      { kind: 'rows', heading: 'What do you want to do?', rows: jobs },
      {
        kind: 'text',
        text: 'telctl help commands lists every command, telctl help options the options of all of them.',
      },
    ],
    columns,
  );
}
