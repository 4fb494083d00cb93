import type { Host } from '../../../base/host/host.ts';
import {
  chooseIdentity,
  environmentName,
  identityVariable,
} from '../../../client/session/choose-identity.ts';
import { type ProfileMachine, readProfiles } from '../../../client/session/profile-store.ts';
import { readDirectorySettings, type SettingPlace } from '../../../client/session/settings.ts';
import { type Columns, pageText } from './layout.ts';

/** Common tasks, with a command line for each. A test parses each line. */
export const frontPageJobs = [
  ['see what an account has', 'telctl users list, telctl callflows show MAIN --as tree'],
  ['change one thing', 'telctl users edit alice'],
  ['set up a new user', 'telctl users onboard'],
  ['keep an account in Git', 'telctl export, telctl help manifests'],
  ['do it in many accounts', 'telctl help many-accounts'],
  ['see where a call goes', 'telctl callflows trace +12125550140'],
  ['find where something is used', 'telctl find alice'],
  ['repair webhooks', 'telctl webhooks health'],
  ['see what changed, undo it', 'telctl log, telctl undo'],
] as const;

const firstSteps = [
  ['telctl login', 'sign in to a service'],
  ['telctl sandbox start', 'try everything on this machine first'],
] as const;

export type FrontMachine = ProfileMachine & Pick<Host, 'cwd' | 'env'>;

function describeTarget(host: FrontMachine): string | undefined {
  const { env } = host;
  const variable = (from: string): SettingPlace<string> => ({
    source: 'environment',
    from,
    value: env[from] || undefined,
  });
  try {
    const { profile, baseUrl, own } = chooseIdentity(env, readProfiles(host), {
      named: [variable('TELCTL_PROFILE')],
      directory: { source: 'directory', from: '', value: readDirectorySettings(host)?.values.profile },
      addresses: {
        option: { source: 'option', from: '', value: undefined },
        variable: variable('TELCTL_BASE_URL'),
      },
    });
    if (profile.value === environmentName)
      return baseUrl.value && `At ${baseUrl.value}, signed in with ${identityVariable(env)}.`;
    if (!own) return undefined;
    const account = own.accountName ?? own.accountId;
    return `Profile ${own.name}: ${own.username ? `${own.username} of ` : ''}${account} at ${own.baseUrl}. Others: telctl profiles list`;
  } catch {
    return 'telctl cannot read the stored profiles. Run telctl doctor to see why.';
  }
}

/** The page of `telctl` and `telctl help`: the current account, common tasks, and links to more help. */
export function frontPage(host: FrontMachine, columns: Columns): string {
  const where = describeTarget(host);
  return pageText(
    [
      {
        kind: 'text',
        text: 'telctl administers accounts, users, callflows, limits and webhooks of a telephony service.',
      },
      where === undefined
        ? { kind: 'rows', heading: 'Not signed in. Start with one of these:', rows: firstSteps, least: 31 }
        : { kind: 'text', text: where },
      { kind: 'rows', heading: 'What do you want to do?', rows: frontPageJobs },
      {
        kind: 'text',
        text: 'telctl help commands lists every command. telctl help options lists the options that all commands share.',
      },
    ],
    columns,
  );
}
