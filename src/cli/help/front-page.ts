import { type ProfileMachine, readProfiles } from '../../session/profile-store.ts';
import { type Columns, pageText } from './layout.ts';

/** Purposes of people, and the command line for each. A test runs each through the parser. */
export const jobs = [
  ['see what an account has', 'telctl users list, telctl callflows show MAIN --as tree'],
  ['change one thing', 'telctl users edit alice'],
  ['take on a new colleague', 'telctl users onboard'],
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

/** Variables that sign in without a profile (Interface, settings). */
const signIns = ['TELCTL_TOKEN', 'TELCTL_API_KEY', 'TELCTL_PASSWORD'];

/** Parts of the machine that the page shows. */
export type FrontMachine = ProfileMachine & { readonly env: Readonly<Record<string, string | undefined>> };

/** The line that says where a command would go, or `undefined` where nobody is signed in. */
function whereTo({ env, files, folders }: FrontMachine): string | undefined {
  const variable = signIns.find((name) => env[name]);
  if (variable !== undefined && env.TELCTL_BASE_URL)
    return `At ${env.TELCTL_BASE_URL}, signed in by ${variable}.`;
  try {
    const { profiles, defaultName } = readProfiles({ files, folders });
    const name = env.TELCTL_PROFILE || defaultName;
    const profile = name === undefined ? undefined : profiles.get(name);
    if (!profile) return undefined;
    const account = profile.accountName ?? profile.accountId;
    return `Profile ${profile.name}: ${profile.username ? `${profile.username} of ` : ''}${account} at ${profile.baseUrl}. Others: telctl profiles list`;
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
