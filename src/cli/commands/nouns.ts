import { hyphenated } from '../../base/wording.ts';
import { type ResourceNoun, resourceNouns } from '../../contract/resource-nouns.ts';
import type { ResourceName } from '../../contract/types.ts';
import type { Command } from '../command/command.ts';
import { type Group, groupOf, placeOf } from './noun-groups.ts';

/** The first word of a command line. What it commands is loaded when it is asked for. */
export interface Noun {
  readonly name: string;
  /** Another word for it: the singular. */
  readonly alias?: string;
  readonly group: Group;
  readonly summary: string;
  commands(): Promise<readonly Command[]>;
}

/** Returns the group of a noun. A resource that is new stands where one looks things up, until it has a job. */
const jobOf = (word: string): Group => groupOf(word) ?? 'Look things up';

/** A resource with commands beside the six verbs. */
function ownNoun(name: ResourceName, commands: Noun['commands']): Noun {
  const found = resourceNouns.find((each) => each.name === name);
  if (!found) throw new Error(`${name} is no noun of the contract.`);
  const { word, singular, summary } = found;
  return { name: word, alias: hyphenated(singular), group: jobOf(word), summary, commands };
}

/** A resource that has the six verbs and no others, as far as the service has them. */
const generic = ({ word, singular, summary, load }: ResourceNoun): Noun => ({
  name: word,
  alias: hyphenated(singular),
  group: jobOf(word),
  summary,
  commands: async () => {
    const [{ genericCommands }, resource] = await Promise.all([import('./generic/commands.ts'), load()]);
    return genericCommands(resource, [word]);
  },
});

/** Nouns with commands of their own, in the order of the help page; all others are resources that have none. */
const ownNouns: readonly Noun[] = [
  {
    name: 'login',
    group: 'Start here',
    summary: 'Sign in to a service and remember it as a profile',
    commands: async () => (await import('./login/commands.ts')).loginCommands,
  },
  {
    name: 'whoami',
    group: 'Start here',
    summary: 'Show who and where you are',
    commands: async () => (await import('./whoami/commands.ts')).whoamiCommands,
  },
  {
    name: 'logout',
    group: 'Start here',
    summary: 'Forget a sign-in',
    commands: async () => (await import('./logout/commands.ts')).logoutCommands,
  },
  {
    name: 'profiles',
    alias: 'profile',
    group: 'Start here',
    summary: 'Services and sign-ins that telctl remembers',
    commands: async () => (await import('./profiles/commands.ts')).profilesCommands,
  },
  {
    name: 'tokens',
    alias: 'token',
    group: 'Start here',
    summary: 'The token in use, and the end of all of them',
    commands: async () => (await import('./tokens/commands.ts')).tokensCommands,
  },
  {
    name: 'config',
    group: 'Start here',
    summary: 'Settings, and where each comes from',
    commands: async () => (await import('./config/commands.ts')).configCommands,
  },
  ownNoun('accounts', async () => (await import('./accounts/commands.ts')).accountsCommands),
  ownNoun('users', async () => (await import('./users/commands.ts')).usersCommands),
  ownNoun('devices', async () => (await import('./devices/commands.ts')).devicesCommands),
  ownNoun('registrations', async () => (await import('./registrations/commands.ts')).registrationsCommands),
  ownNoun('comments', async () => (await import('./comments/commands.ts')).commentsCommands),
  ownNoun('hotdesks', async () => (await import('./presence/commands.ts')).hotdesksCommands),
  ownNoun('callflows', async () => (await import('./callflows/commands.ts')).callflowsCommands),
  ownNoun('limits', async () => (await import('./limits/commands.ts')).limitsCommands),
  ownNoun('webhooks', async () => (await import('./webhooks/commands.ts')).webhooksCommands),
  ownNoun('vmboxes', async () => (await import('./vmboxes/commands.ts')).vmboxesCommands),
  ownNoun('conferences', async () => (await import('./conferences/commands.ts')).conferencesCommands),
  ownNoun('channels', async () => (await import('./channels/commands.ts')).channelsCommands),
  ownNoun('presence', async () => (await import('./presence/commands.ts')).presenceCommands),
  ownNoun('cdrs', async () => (await import('./cdrs/commands.ts')).cdrsCommands),
  ownNoun('recordings', async () => (await import('./recordings/commands.ts')).recordingsCommands),
  ownNoun('lists', async () => (await import('./lists/commands.ts')).listsCommands),
  ownNoun('media', async () => (await import('./media/commands.ts')).mediaCommands),
  ownNoun('notifications', async () => (await import('./notifications/commands.ts')).notificationsCommands),
  ownNoun('faxes', async () => (await import('./faxes/commands.ts')).faxesCommands),
  ownNoun('numbers', async () => (await import('./numbers/commands.ts')).numbersCommands),
  ownNoun('ports', async () => (await import('./ports/commands.ts')).portsCommands),
  ownNoun('temporal_rules', async () => (await import('./temporal-rules/commands.ts')).temporalRulesCommands),
  ownNoun('carriers', async () => (await import('./carriers/commands.ts')).carriersCommands),
  ownNoun('rates', async () => (await import('./carriers/commands.ts')).ratesCommands),
  ownNoun('allotments', async () => (await import('./allotments/commands.ts')).allotmentsCommands),
  ownNoun('ledgers', async () => (await import('./ledgers/commands.ts')).ledgersCommands),
  ownNoun('transactions', async () => (await import('./transactions/commands.ts')).transactionsCommands),
  ownNoun('queues', async () => (await import('./queues/commands.ts')).queuesCommands),
  ownNoun('agents', async () => (await import('./agents/commands.ts')).agentsCommands),
  ownNoun('contacts', async () => (await import('./contacts/commands.ts')).contactsCommands),
  ownNoun('tasks', async () => (await import('./tasks/commands.ts')).tasksCommands),
  ownNoun('security', async () => (await import('./security/commands.ts')).securityCommands),
  ownNoun('whitelabel', async () => (await import('./whitelabel/commands.ts')).whitelabelCommands),
  ownNoun('acls', async () => (await import('./security/commands.ts')).aclsCommands),
  ownNoun('selectors', async () => (await import('./selectors/commands.ts')).selectorsCommands),
  ownNoun('services', async () => (await import('./services/commands.ts')).servicesCommands),
  {
    name: 'sso',
    group: jobOf('sso'),
    summary: 'Sign-in by other providers: applications, providers, links',
    commands: async () => (await import('./sso/commands.ts')).ssoCommands,
  },
  ownNoun('keys', async () => (await import('./keys/commands.ts')).keysCommands),
  {
    name: 'init',
    group: 'Configuration as code',
    summary: 'Write a first manifest, with comments',
    commands: async () => (await import('./manifest/init/init-command.ts')).initCommands,
  },
  {
    name: 'validate',
    group: 'Configuration as code',
    summary: 'Check a manifest without the service',
    commands: async () => (await import('./validate.ts')).validateCommands,
  },
  {
    name: 'test',
    group: 'Configuration as code',
    summary: 'Make the calls of case files, and say which go elsewhere',
    commands: async () => (await import('./test/commands.ts')).testCommands,
  },
  {
    name: 'diff',
    group: 'Configuration as code',
    summary: 'Show how an account differs from its manifest',
    commands: async () => (await import('./manifest/plan/plan-commands.ts')).diffCommands,
  },
  {
    name: 'plan',
    group: 'Configuration as code',
    summary: 'Work out what an apply would do, and keep it',
    commands: async () => (await import('./manifest/plan/plan-commands.ts')).planCommands,
  },
  {
    name: 'fmt',
    group: 'Configuration as code',
    summary: 'Format manifests',
    commands: async () => (await import('./manifest/fmt/fmt-command.ts')).fmtCommands,
  },
  {
    name: 'show',
    group: 'Configuration as code',
    summary: 'Show a plan that was kept in a file',
    commands: async () => (await import('./manifest/plan/plan-commands.ts')).showCommands,
  },
  {
    name: 'apply',
    group: 'Configuration as code',
    summary: 'Make an account as its manifest says',
    commands: async () => (await import('./manifest/apply/apply-commands.ts')).applyCommands,
  },
  {
    name: 'export',
    group: 'Configuration as code',
    summary: 'Write an account as a manifest',
    commands: async () => (await import('./manifest/export/export-command.ts')).exportCommands,
  },
  {
    name: 'adopt',
    group: 'Configuration as code',
    summary: 'Take existing objects of a manifest under management',
    commands: async () => (await import('./manifest/adopt.ts')).adoptCommands,
  },
  {
    name: 'undo',
    group: 'Configuration as code',
    summary: 'Reverse the last change, as far as old values are known',
    commands: async () => (await import('./manifest/apply/apply-commands.ts')).undoCommands,
  },
  {
    name: 'rollout',
    group: 'Configuration as code',
    summary: 'One manifest for thousands of accounts, in waves',
    commands: async () => (await import('./rollout/commands.ts')).rolloutCommands,
  },
  {
    name: 'reconcile',
    group: 'Configuration as code',
    summary: 'Check for drift from a manifest regularly',
    commands: async () => (await import('./reconcile/commands.ts')).reconcileCommands,
  },
  {
    name: 'log',
    group: 'Look things up',
    summary: 'See what was changed: by whom, when, where and how',
    commands: async () => (await import('./log/commands.ts')).logCommands,
  },
  {
    name: 'state',
    group: 'Look things up',
    summary: 'What telctl remembers between runs, and where',
    commands: async () => (await import('./state/commands.ts')).stateCommands,
  },
  {
    name: 'explain',
    group: 'Look things up',
    summary: 'What a field means: telctl explain users.caller_id',
    commands: async () => (await import('./explain/commands.ts')).explainCommands,
  },
  {
    name: 'watch',
    group: 'Look things up',
    summary: 'Live calls, registrations and failing webhooks on one screen',
    commands: async () => (await import('./watch/commands.ts')).watchCommands,
  },
  {
    name: 'find',
    group: 'Look things up',
    summary: 'Where a number, id, name or e-mail address is used',
    commands: async () => (await import('./find/commands.ts')).findCommands,
  },
  {
    name: 'console',
    group: 'Look things up',
    summary: 'Look at the service, or at a kept plan, in a browser',
    commands: async () => (await import('./console/commands.ts')).consoleCommands,
  },
  ownNoun('search', async () => (await import('./search/commands.ts')).searchCommands),
  {
    name: 'audit',
    group: 'Look things up',
    summary: 'What is weak, lost or left over in an account, as a report',
    commands: async () => (await import('./audit/commands.ts')).auditCommands,
  },
  {
    name: 'orphans',
    group: 'Look things up',
    summary: 'Numbers and callflows that lead nowhere, references to nothing',
    commands: async () => (await import('./orphans/commands.ts')).orphansCommands,
  },
  {
    name: 'schema',
    group: 'Look things up',
    summary: 'JSON Schema of a resource or of manifests, for editors and validators',
    commands: async () => (await import('./schema/commands.ts')).schemaCommands,
  },
  {
    name: 'openapi',
    group: 'Look things up',
    summary: 'The service as an OpenAPI document',
    commands: async () => (await import('./openapi/commands.ts')).openApiCommands,
  },
  {
    name: 'api',
    group: 'Look things up',
    summary: 'Any request, signed',
    commands: async () => (await import('./api/commands.ts')).apiCommands,
  },
  {
    name: 'sandbox',
    group: 'Start here',
    summary: 'Run the service on this machine, to try things',
    commands: async () => (await import('./sandbox/commands.ts')).sandboxCommands,
  },
  {
    name: 'doctor',
    group: 'Look things up',
    summary: 'Check this machine and its set-up: sign-in, service, clock, files',
    commands: async () => (await import('./doctor/commands.ts')).doctorCommands,
  },
  {
    name: 'conformance',
    group: 'Look things up',
    summary: 'Which operations a service offers, and in which shapes',
    commands: async () => (await import('./conformance/commands.ts')).conformanceCommands,
  },
];

const genericNouns = resourceNouns
  .filter(({ word }) => !ownNouns.some(({ name }) => name === word))
  .map(generic);

/** The nouns of this room, in the order of the help page: what administers something by its job, where it stood first. */
export const serviceNouns: readonly Noun[] = inPlace([...ownNouns, ...genericNouns]);

function inPlace(all: readonly Noun[]): readonly Noun[] {
  const administering = all
    .filter(({ name }) => groupOf(name))
    .toSorted((one, other) => placeOf(one.name) - placeOf(other.name));
  const first = all.findIndex(({ name }) => groupOf(name));
  const others = all.filter(({ name }) => !groupOf(name));
  return [...others.slice(0, first), ...administering, ...others.slice(first)];
}

/**
 * The command that stands for each operation, by its id: the first that calls it before others, else the first that
 * calls it at all.
 */
export async function commandNames(): Promise<ReadonlyMap<string, string>> {
  const commands = (await Promise.all(serviceNouns.map((noun) => noun.commands()))).flat();
  const calls = commands
    .filter(({ hidden }) => !hidden)
    .flatMap(({ path, operations = [] }) =>
      operations.map((id, index) => ({ id, index, name: path.join(' ') })),
    )
    .toSorted((one, other) => one.index - other.index);
  // Of equal keys a map keeps the last.
  return new Map(calls.toReversed().map(({ id, name }) => [id, name]));
}
