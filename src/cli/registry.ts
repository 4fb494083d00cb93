import type { Command } from '../command/command.ts';
import { type ResourceNoun, resourceNouns } from '../contract/resource-nouns.ts';
import type { ResourceName } from '../contract/types.ts';

/** Places of nouns on the help page. */
export const groups = ['Start here', 'Administer', 'Configuration as code', 'Look things up'] as const;

/** The first word of a command line. What it commands is loaded when it is asked for. */
export interface Noun {
  readonly name: string;
  /** Another word for it: the singular. */
  readonly alias?: string;
  readonly group: (typeof groups)[number];
  readonly summary: string;
  commands(): Promise<readonly Command[]>;
}

/** A resource with commands beside the six verbs. */
function own(name: ResourceName, commands: Noun['commands']): Noun {
  const found = resourceNouns.find((each) => each.name === name);
  if (!found) throw new Error(`${name} is no noun of the contract.`);
  return { name, alias: found.singular, group: 'Administer', summary: found.summary, commands };
}

/** A resource that has the six verbs and no others, as far as the service has them. */
const generic = ({ name, singular, summary, load }: ResourceNoun): Noun => ({
  ...{ name, alias: singular, group: 'Administer', summary },
  commands: async () => {
    const [{ genericCommands }, resource] = await Promise.all([
      import('../commands/generic/commands.ts'),
      load(),
    ]);
    return genericCommands(resource, [name]);
  },
});

/** Nouns with commands of their own, in the order of the help page; all others are resources that have none. */
const ownNouns: readonly Noun[] = [
  {
    name: 'login',
    group: 'Start here',
    summary: 'Sign in to a service and remember it as a profile',
    commands: async () => (await import('../commands/login/commands.ts')).loginCommands,
  },
  {
    name: 'whoami',
    group: 'Start here',
    summary: 'Show who and where you are',
    commands: async () => (await import('../commands/whoami/commands.ts')).whoamiCommands,
  },
  {
    name: 'logout',
    group: 'Start here',
    summary: 'Forget a sign-in',
    commands: async () => (await import('../commands/logout/commands.ts')).logoutCommands,
  },
  {
    name: 'profiles',
    alias: 'profile',
    group: 'Start here',
    summary: 'Services and sign-ins that telctl remembers',
    commands: async () => (await import('../commands/profiles/commands.ts')).profilesCommands,
  },
  {
    name: 'tokens',
    alias: 'token',
    group: 'Start here',
    summary: 'The token in use, and the end of all of them',
    commands: async () => (await import('../commands/tokens/commands.ts')).tokensCommands,
  },
  {
    name: 'config',
    group: 'Start here',
    summary: 'Settings, and where each comes from',
    commands: async () => (await import('../commands/config/commands.ts')).configCommands,
  },
  own('accounts', async () => (await import('../commands/accounts/commands.ts')).accountsCommands),
  own('users', async () => (await import('../commands/users/commands.ts')).usersCommands),
  own('callflows', async () => (await import('../commands/callflows/commands.ts')).callflowsCommands),
  own('limits', async () => (await import('../commands/limits/commands.ts')).limitsCommands),
  own('webhooks', async () => (await import('../commands/webhooks/commands.ts')).webhooksCommands),
  own('vmboxes', async () => (await import('../commands/vmboxes/commands.ts')).vmboxesCommands),
  own('conferences', async () => (await import('../commands/conferences/commands.ts')).conferencesCommands),
  own('faxes', async () => (await import('../commands/faxes/commands.ts')).faxesCommands),
  own('numbers', async () => (await import('../commands/numbers/commands.ts')).numbersCommands),
  own('ports', async () => (await import('../commands/ports/commands.ts')).portsCommands),
  own('contacts', async () => (await import('../commands/contacts/commands.ts')).contactsCommands),
  own('selectors', async () => (await import('../commands/selectors/commands.ts')).selectorsCommands),
  own('services', async () => (await import('../commands/services/commands.ts')).servicesCommands),
  {
    name: 'sso',
    group: 'Administer',
    summary: 'Sign-in by other providers: applications, providers, links',
    commands: async () => (await import('../commands/sso/commands.ts')).ssoCommands,
  },
  own('keys', async () => (await import('../commands/keys/commands.ts')).keysCommands),
  {
    name: 'validate',
    group: 'Configuration as code',
    summary: 'Check a manifest without the service',
    commands: async () => (await import('../commands/manifest/validate-command.ts')).validateCommands,
  },
  {
    name: 'diff',
    group: 'Configuration as code',
    summary: 'Show how an account differs from its manifest',
    commands: async () => (await import('../commands/manifest/plan/plan-commands.ts')).diffCommands,
  },
  {
    name: 'plan',
    group: 'Configuration as code',
    summary: 'Work out what an apply would do, and keep it',
    commands: async () => (await import('../commands/manifest/plan/plan-commands.ts')).planCommands,
  },
  {
    name: 'apply',
    group: 'Configuration as code',
    summary: 'Make an account as its manifest says',
    commands: async () => (await import('../commands/manifest/apply/apply-commands.ts')).applyCommands,
  },
  {
    name: 'export',
    group: 'Configuration as code',
    summary: 'Write an account as a manifest',
    commands: async () => (await import('../commands/manifest/export/export-command.ts')).exportCommands,
  },
  {
    name: 'adopt',
    group: 'Configuration as code',
    summary: 'Take existing objects of a manifest under management',
    commands: async () => (await import('../commands/manifest/adopt-command.ts')).adoptCommands,
  },
  {
    name: 'undo',
    group: 'Configuration as code',
    summary: 'Reverse the last change, as far as old values are known',
    commands: async () => (await import('../commands/manifest/apply/apply-commands.ts')).undoCommands,
  },
  {
    name: 'log',
    group: 'Look things up',
    summary: 'See what was changed: by whom, when, where and how',
    commands: async () => (await import('../commands/log/commands.ts')).logCommands,
  },
  {
    name: 'explain',
    group: 'Look things up',
    summary: 'What a field means: telctl explain users.caller_id',
    commands: async () => (await import('../commands/explain/commands.ts')).explainCommands,
  },
  {
    name: 'find',
    group: 'Look things up',
    summary: 'Where a number, id, name or e-mail address is used',
    commands: async () => (await import('../commands/find/commands.ts')).findCommands,
  },
  {
    name: 'orphans',
    group: 'Look things up',
    summary: 'Numbers and callflows that lead nowhere, references to nothing',
    commands: async () => (await import('../commands/orphans/commands.ts')).orphansCommands,
  },
  {
    name: 'schema',
    group: 'Look things up',
    summary: 'JSON Schema of a resource or of manifests, for editors and validators',
    commands: async () => (await import('../commands/schema/commands.ts')).schemaCommands,
  },
  {
    name: 'openapi',
    group: 'Look things up',
    summary: 'The service as an OpenAPI document',
    commands: async () => (await import('../commands/openapi/commands.ts')).openApiCommands,
  },
  {
    name: 'api',
    group: 'Look things up',
    summary: 'Any request, signed',
    commands: async () => (await import('../commands/api/commands.ts')).apiCommands,
  },
  {
    name: 'sandbox',
    group: 'Start here',
    summary: 'Run the service on this machine, to try things',
    commands: async () => (await import('../commands/sandbox/commands.ts')).sandboxCommands,
  },
  {
    name: 'doctor',
    group: 'Look things up',
    summary: 'Check this machine and its set-up: sign-in, service, clock, files',
    commands: async () => (await import('../commands/doctor/commands.ts')).doctorCommands,
  },
  {
    name: 'conformance',
    group: 'Look things up',
    summary: 'Which operations a service offers, and in which shapes',
    commands: async () =>
      (await import('../commands/conformance/commands.ts')).conformanceCommands(async () =>
        (await import('./command-names.ts')).commandNames(nouns),
      ),
  },
  {
    name: 'commands',
    group: 'Look things up',
    summary: 'Every command, with what it does to the service',
    commands: async () => [(await import('./self/commands.ts')).commandsCommand],
  },
  {
    name: 'completion',
    group: 'Look things up',
    summary: 'Script that completes telctl in your shell',
    commands: async () => [(await import('./completion/completion-command.ts')).completionCommand],
  },
  {
    name: 'help',
    group: 'Look things up',
    summary: 'Topics: environment, exit-codes, output, files, manifests',
    commands: async () => [(await import('./self/commands.ts')).helpCommand],
  },
];

const genericNouns = resourceNouns
  .filter(({ name }) => !ownNouns.some((noun) => noun.name === name))
  .map(generic);

/** All nouns, in the order of the help page: those of the generic verbs after what is administered most. */
export const nouns: readonly Noun[] = ownNouns.flatMap((noun) =>
  noun.name === 'webhooks' ? [noun, ...genericNouns] : [noun],
);

/** The noun that a word means, plural or singular. */
export function nounByWord(word: string): Noun | undefined {
  return nouns.find(({ name, alias }) => name === word || alias === word);
}
