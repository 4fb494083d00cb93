import { hyphenate } from '../../base/wording.ts';
import { type ResourceNoun, resourceNouns } from '../../contract/resource-nouns.ts';
import type { Command } from '../command/command.ts';
import { installedExtensions } from './extension.ts';

/** Groups of nouns, in the order of the help page. */
export const nounGroups = [
  'Start here',
  'People and phones',
  'Calls',
  'Numbers',
  'Voice messages and fax',
  'Money',
  'Sign-in and security',
  'Events',
  'The operator of the service',
  'Configuration as code',
  'Look things up',
] as const;

export type Group = (typeof nounGroups)[number];

/** Nouns that manage resources, grouped by job, most used first. Each belongs to one group. */
const nounsByGroup: Partial<Record<Group, string>> = {
  'People and phones':
    'users devices accounts groups registrations hotdesks directories contacts presence comments',
  Calls:
    'callflows menus temporal-rules temporal-rule-sets media conferences queues agents blacklists lists metaflows channels parked-calls cdrs recordings',
  Numbers: 'numbers ports',
  'Voice messages and fax': 'vmboxes faxes faxboxes',
  Money: 'limits services transactions ledgers allotments rates',
  'Sign-in and security': 'security multi-factor sso keys token-restrictions access-lists rate-limits',
  Events: 'webhooks notifications alerts tasks',
  'The operator of the service':
    'carriers carrier-templates system-carriers selectors acls whitelabel store-apps about',
};

const groupByWord = new Map(
  Object.entries(nounsByGroup).flatMap(([group, words]) =>
    words.split(' ').map((word) => [word, nounGroups.find((each) => each === group)] as const),
  ),
);

/** Returns the group of a noun that manages a resource, or `undefined` if it has no group. */
export const groupOf = (word: string): Group | undefined => groupByWord.get(word);

function placeOnPage(word: string): number {
  const index = [...groupByWord.keys()].indexOf(word);
  return index === -1 ? groupByWord.size : index;
}

/** The first word of a command line. Its commands are loaded when needed. */
export interface Noun {
  readonly name: string;
  readonly alias?: string;
  readonly group: Group;
  readonly summary: string;
  commands(): Promise<readonly Command[]>;
}

/** Resources without a job are listed under "Look things up". */
const nounOf = ({ word, singular, summary }: ResourceNoun) => ({
  name: word,
  alias: hyphenate(singular),
  group: groupOf(word) ?? ('Look things up' as const),
  summary,
});

/** Nouns that are not resources, with their summaries. */
const ownWords: Partial<Readonly<Record<Group, Readonly<Record<string, string>>>>> = {
  'Start here': {
    login: 'Sign in to a service and remember it as a profile',
    whoami: 'Show the current user, account and service',
    logout: 'Forget a sign-in',
    profiles: 'Manage stored services and sign-ins',
    tokens: 'Inspect the current token, and revoke tokens',
    config: 'Show settings and their sources',
  },
  'Sign-in and security': { sso: 'Manage sign-in with other providers: applications, providers, links' },
  'Configuration as code': {
    init: 'Write a first manifest, with comments',
    validate: 'Check a manifest without the service',
    diff: 'Show how an account differs from its manifest',
    plan: 'Show the changes that apply would make, and save them',
    fmt: 'Format manifests',
    show: 'Show a saved plan',
    apply: 'Change an account to match its manifest',
    export: 'Write an account as a manifest',
    adopt: 'Manage existing objects of a manifest with telctl',
    undo: 'Reverse the last change if the old values are known',
  },
  'Look things up': {
    log: 'Show changes, with their author, time and place',
    state: 'Show and manage the files that telctl keeps between runs',
    explain: 'Describe a field: telctl explain users.caller_id',
    watch: 'Show live calls, registrations and failing webhooks on one screen',
    find: 'Find where a number, id, name or email address is used',
    audit: 'Find security risks, broken references and unused records',
    orphans: 'Find numbers and callflows without a destination, and broken references',
    schema: 'Print the JSON Schema of a resource or of manifests, for editors and validators',
    openapi: 'Print an OpenAPI document of the service',
    api: 'Send any request with your credentials',
    doctor: 'Check the setup of this machine: sign-in, service, clock, files',
  },
};

function ownNoun(word: string, commands: Noun['commands']): Noun {
  const alias = /^(?:profiles|tokens)$/.test(word) ? { alias: word.slice(0, -1) } : {};
  for (const group of nounGroups) {
    const summary = ownWords[group]?.[word];
    if (summary !== undefined) return { name: word, ...alias, group, summary, commands };
  }
  const resource = resourceNouns.find((each) => each.word === word);
  if (!resource) throw new Error(`${word} is not a noun of the contract, and has no summary.`);
  return { ...nounOf(resource), commands };
}

const genericNoun = (noun: ResourceNoun): Noun => ({
  ...nounOf(noun),
  commands: async () => {
    const [{ genericCommands }, resource] = await Promise.all([import('./generic/commands.ts'), noun.load()]);
    return genericCommands(resource, [noun.word]);
  },
});

/** Specific commands by noun, in the order of the help page. All other nouns have only the generic commands. */
const ownCommands: Readonly<Record<string, Noun['commands']>> = {
  login: async () => (await import('./login/commands.ts')).loginCommands,
  whoami: async () => (await import('./whoami/commands.ts')).whoamiCommands,
  logout: async () => (await import('./profiles/commands.ts')).logoutCommands,
  profiles: async () => (await import('./profiles/commands.ts')).profilesCommands,
  tokens: async () => (await import('./tokens/commands.ts')).tokensCommands,
  config: async () => (await import('./config/commands.ts')).configCommands,
  accounts: async () => (await import('./accounts/commands.ts')).accountsCommands,
  users: async () => (await import('./users/commands.ts')).usersCommands,
  devices: async () => (await import('./devices/commands.ts')).devicesCommands,
  registrations: async () => (await import('./registrations/commands.ts')).registrationsCommands,
  comments: async () => (await import('./comments/commands.ts')).commentsCommands,
  hotdesks: async () => (await import('./presence/commands.ts')).hotdesksCommands,
  callflows: async () => (await import('./callflows/commands.ts')).callflowsCommands,
  limits: async () => (await import('./limits/commands.ts')).limitsCommands,
  webhooks: async () => (await import('./webhooks/commands.ts')).webhooksCommands,
  vmboxes: async () => (await import('./vmboxes/commands.ts')).vmboxesCommands,
  conferences: async () => (await import('./conferences/commands.ts')).conferencesCommands,
  channels: async () => (await import('./channels/commands.ts')).channelsCommands,
  presence: async () => (await import('./presence/commands.ts')).presenceCommands,
  cdrs: async () => (await import('./cdrs/commands.ts')).cdrsCommands,
  recordings: async () => (await import('./vmboxes/commands.ts')).recordingsCommands,
  lists: async () => (await import('./lists/commands.ts')).listsCommands,
  media: async () => (await import('./media/commands.ts')).mediaCommands,
  notifications: async () => (await import('./notifications/commands.ts')).notificationsCommands,
  faxes: async () => (await import('./vmboxes/commands.ts')).faxesCommands,
  numbers: async () => (await import('./numbers/commands.ts')).numbersCommands,
  ports: async () => (await import('./ports/commands.ts')).portsCommands,
  'temporal-rules': async () => (await import('./temporal-rules/commands.ts')).temporalRulesCommands,
  carriers: async () => (await import('./carriers/commands.ts')).carriersCommands,
  rates: async () => (await import('./carriers/commands.ts')).ratesCommands,
  allotments: async () => (await import('./ledgers/commands.ts')).allotmentsCommands,
  ledgers: async () => (await import('./ledgers/commands.ts')).ledgersCommands,
  transactions: async () => (await import('./ledgers/commands.ts')).transactionsCommands,
  queues: async () => (await import('./queues/commands.ts')).queuesCommands,
  agents: async () => (await import('./agents/commands.ts')).agentsCommands,
  contacts: async () => (await import('./registrations/commands.ts')).contactsCommands,
  tasks: async () => (await import('./tasks/commands.ts')).tasksCommands,
  security: async () => (await import('./security/commands.ts')).securityCommands,
  whitelabel: async () => (await import('./whitelabel/commands.ts')).whitelabelCommands,
  acls: async () => (await import('./security/commands.ts')).aclsCommands,
  selectors: async () => (await import('./carriers/commands.ts')).selectorsCommands,
  services: async () => (await import('./services/commands.ts')).servicesCommands,
  sso: async () => (await import('./sso/commands.ts')).ssoCommands,
  keys: async () => (await import('./keys/commands.ts')).keysCommands,
  init: async () => (await import('./manifest/init/init-command.ts')).initCommands,
  validate: async () => (await import('./manifest/validate.ts')).validateCommands,
  diff: async () => (await import('./manifest/commands.ts')).diffCommands,
  plan: async () => (await import('./manifest/commands.ts')).planCommands,
  fmt: async () => (await import('./manifest/commands.ts')).fmtCommands,
  show: async () => (await import('./manifest/commands.ts')).showCommands,
  apply: async () => (await import('./manifest/commands.ts')).applyCommands,
  export: async () => (await import('./manifest/export/export-command.ts')).exportCommands,
  adopt: async () => (await import('./manifest/adopt.ts')).adoptCommands,
  undo: async () => (await import('./manifest/commands.ts')).undoCommands,
  log: async () => (await import('./log/commands.ts')).logCommands,
  state: async () => (await import('./state/commands.ts')).stateCommands,
  explain: async () => (await import('./explain/commands.ts')).explainCommands,
  watch: async () => (await import('./watch/commands.ts')).watchCommands,
  find: async () => (await import('./find/commands.ts')).findCommands,
  search: async () => (await import('./search/commands.ts')).searchCommands,
  audit: async () => (await import('./audit/commands.ts')).auditCommands,
  orphans: async () => (await import('./orphans/commands.ts')).orphansCommands,
  schema: async () => (await import('./schema/commands.ts')).schemaCommands,
  openapi: async () => (await import('./schema/commands.ts')).openApiCommands,
  api: async () => (await import('./api/commands.ts')).apiCommands,
  doctor: async () => (await import('./doctor/commands.ts')).doctorCommands,
};

function withExtensions(noun: Noun): Noun {
  const added = installedExtensions().flatMap(({ commands }) => commands?.[noun.name] ?? []);
  if (added.length === 0) return noun;
  return {
    ...noun,
    commands: async () => (await Promise.all([noun.commands(), ...added.map((load) => load())])).flat(),
  };
}

/** In the order of the help page. Nouns of resources are sorted by their job. */
function coreNouns(): readonly Noun[] {
  const own = Object.entries(ownCommands).map(([word, commands]) => ownNoun(word, commands));
  const others = resourceNouns.filter(({ word }) => !Object.hasOwn(ownCommands, word)).map(genericNoun);
  return sortNouns([...own, ...others].map(withExtensions));
}

/** Returns the nouns of the core, `last`, and those of the extensions, each after the noun that it follows. */
export function nounsWith(last: readonly Noun[]): readonly Noun[] {
  const placed = [...coreNouns(), ...last];
  for (const noun of installedExtensions().flatMap(({ nouns }) => nouns)) {
    const index = placed.findIndex(({ name }) => name === noun.after);
    placed.splice(index < 0 ? placed.length : index + 1, 0, noun);
  }
  return placed;
}

function sortNouns(all: readonly Noun[]): readonly Noun[] {
  const administering = all
    .filter(({ name }) => groupOf(name))
    .toSorted((one, other) => placeOnPage(one.name) - placeOnPage(other.name));
  const first = all.findIndex(({ name }) => groupOf(name));
  const others = all.filter(({ name }) => !groupOf(name));
  return [...others.slice(0, first), ...administering, ...others.slice(first)];
}

/** Maps operations to commands. Prefers the first command whose first call is the operation. */
export async function commandNames(): Promise<ReadonlyMap<string, string>> {
  const commands = (await Promise.all(nounsWith([]).map((noun) => noun.commands()))).flat();
  const calls = commands
    .filter(({ hidden }) => !hidden)
    .flatMap(({ path, operations = [] }) =>
      operations.map((id, index) => ({ id, index, name: path.join(' ') })),
    )
    .toSorted((one, other) => one.index - other.index);
  // A map keeps the last of equal keys.
  return new Map(calls.toReversed().map(({ id, name }) => [id, name]));
}
