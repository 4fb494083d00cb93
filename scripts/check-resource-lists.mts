/**
 * Finds lists of resources outside the contract. A new resource would be missing there, and no test would notice. The
 * behavior of a resource belongs in its own file, or follows from its references.
 */
import { globSync, readFileSync } from 'node:fs';
import { resources } from '../src/contract/catalogue.ts';

/** A file with this many resource names contains a list. */
const isList = 3;

/** Files that may name several resources, with the reason. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ['src/engine/callflows/flow-set.ts', 'records that route a call'],
  ['src/extensions/calls/lint/lint.ts', 'owners of callflows, and records that lead to them'],
  ['src/extensions/calls/lint/account-rules.ts', 'rules about records that calls use'],
  ['src/extensions/calls/lint/number-rules.ts', 'rules about numbers of each resource'],
  ['src/extensions/calls/lint/step-rules.ts', 'rules about targets of steps'],
  ['src/extensions/calls/commands/lint.ts', 'records that rules about steps read'],
  ['src/extensions/calls/engine/describe-call.ts', 'records on the path of a call'],
  ['src/extensions/calls/commands/trace-call.ts', 'records that place calls'],
  ['src/extensions/calls/commands/trace.ts', 'targets of steps'],
  ['src/cli/commands/callflows/read-flows.ts', 'records that rules about callflows read'],
  ['src/cli/commands/agents/commands.ts', 'agents are users in queues'],
  ['src/cli/commands/channels/commands.ts', 'owners and targets of live calls'],
  ['src/cli/commands/numbers/commands.ts', 'verbs of numbers: search, and the carriers of numbers'],
  ['src/cli/commands/queues/commands.ts', 'agents of queues are users at devices'],
  ['src/cli/commands/vmboxes/commands.ts', 'nouns of messages and fax, each with commands of its own'],
  ['src/cli/commands/ledgers/commands.ts', 'nouns of money, each with commands of its own'],
  ['src/cli/commands/carriers/commands.ts', 'nouns of the operator, each with commands of its own'],
  ['src/cli/commands/users/onboard-form.ts', 'records of a new user'],
  ['src/cli/commands/users/onboard-people.ts', 'records that identify the people of a file'],
  ['src/cli/commands/users/onboard-plan.ts', 'the records of a new person'],
  ['src/cli/commands/users/onboard.ts', 'labels of the records of new people'],
  ['src/cli/commands/manifest/init/init-command.ts', 'sections of a first manifest'],
  ['src/cli/commands/users/offboard.ts', 'records that are deleted with their user'],
  ['src/extensions/sandbox/console/api-reader.ts', 'additional data of pages: the tree, attempts, messages'],
  ['src/cli/commands/accounts/adapt-manifest.ts', 'administrators and callflows that a copy changes'],
  ['src/cli/commands/audit/rules.ts', 'rules about each resource'],
  ['src/cli/commands/audit/audit.ts', 'records that manifests never contain'],
  ['src/cli/commands/audit/findings.ts', 'subjects of findings'],
  ['src/cli/commands/notifications/commands.ts', 'templates of accounts, and their e-mails'],
  ['src/extensions/sandbox/operations/notifications.ts', 'templates of accounts, and their e-mails'],
  ['src/extensions/sandbox/events/event.ts', 'senders and notifications of events'],
  ['src/extensions/sandbox/events/mails.ts', 'recipients of notifications'],
  ['src/extensions/sandbox/operations/live-calls.ts', 'owners and targets of live calls'],
  ['src/extensions/calls/make-calls.ts', 'records that calls read, in addition to targets of steps'],
  ['src/extensions/calls/engine/records.ts', 'records that calls look up'],
  ['src/extensions/calls/engine/callers.ts', 'records that place calls'],
  ['src/extensions/calls/engine/make-call.ts', 'the callflow of a call, and restrictions of callers'],
  ['src/extensions/calls/engine/endpoints.ts', 'members of groups'],
  ['src/extensions/calls/engine/modules/ringing.ts', 'phones of users, groups and devices'],
  ['src/extensions/calls/engine/modules/entries.ts', 'targets of steps'],
  ['src/extensions/calls/engine/modules/queues.ts', 'agents of queues are users'],
  ['src/extensions/calls/engine/modules/settings.ts', 'records that feature codes change'],
  ['src/extensions/calls/cases/read-words.ts', 'names of expectations'],
  ['src/extensions/calls/cases/run-case.ts', 'parties of a call'],
  ['src/extensions/calls/cases/call-facts.ts', 'phones that rang, and mailboxes of messages'],
  ['src/extensions/calls/cases/check-expectations.ts', 'values of ends_in, and their records'],
  ['src/extensions/sandbox/calls/call-account.ts', 'records that calls read'],
  ['src/extensions/sandbox/calls/call-effects.ts', 'records that a call creates'],
  ['src/extensions/sandbox/calls/call-input.ts', 'records that a call depends on'],
  ['src/extensions/sandbox/calls/keep-call.ts', 'records that are removed if a call continues differently'],
  ['src/extensions/sandbox/calls/made-call.ts', 'parties of a call'],
  ['src/extensions/sandbox/operations/cdrs.ts', 'records that call records refer to'],
  ['src/extensions/sandbox/calls/traffic.ts', 'who calls whom on a busy day'],
  ['src/extensions/sandbox/placement.ts', 'hidden values by which the sandbox finds records'],
  ['src/extensions/sandbox/page/views/account-view.ts', 'the account and the pictures of its callflows'],
  ['src/extensions/sandbox/page/views/record-view.ts', 'pictures, deliveries and messages beside a record'],
  ['src/extensions/sandbox/rules/rules-by-resource.ts', 'rules that a schema has no words for'],
  ['src/extensions/sandbox/seed.ts', 'what a fresh sandbox holds'],
  ['src/extensions/sandbox/operations/account-settings.ts', 'handlers of what an account has once'],
  ['src/extensions/sandbox/operations/callback.ts', 'what a sign-in by a provider needs'],
  ['src/extensions/sandbox/operations/contacts.ts', 'what the contact list is made from'],
  ['src/extensions/sandbox/operations/devices.ts', 'whom a device rings for, and what it plays'],
  ['src/extensions/sandbox/operations/port-moves.ts', 'ports have numbers, and a field of comments'],
  ['src/extensions/sandbox/operations/ports.ts', 'ports have numbers, and a field of comments'],
  ['src/engine/manifest/export-builder.ts', 'fields of the same names as resources'],
  ['src/extensions/sandbox/operations/presence.ts', 'whose lamps and desks they are'],
  ['src/extensions/sandbox/operations/queues.ts', 'who waits in queues for calls, and what rings for them'],
  [
    'src/extensions/sandbox/operations/comments-and-lists.ts',
    'comments on users and devices, and the entries of lists',
  ],
  ['src/extensions/sandbox/operations/carriers.ts', 'rates, and jobs that bring numbers'],
  ['src/extensions/sandbox/operations/ledgers.ts', 'ledgers, payments and allotments'],
  ['src/extensions/sandbox/operations/sso.ts', 'applications, providers and links of single sign-on'],
]);

const names = new Set<string>(resources.map(({ name }) => name));
const namedIn = (file: string): ReadonlySet<string> =>
  new Set(
    [...readFileSync(file, 'utf8').matchAll(/(['"])(\w+)\1/g)].flatMap(([, , word = '']) =>
      names.has(word) ? [word] : [],
    ),
  );

const files = globSync('src/**/*.ts').filter((file) => !/^src\/contract\/|\.test\.ts$/.test(file));
const lists = new Map(
  files.map((file) => [file, namedIn(file)] as const).filter(([, named]) => named.size >= isList),
);
const found = [
  ...[...lists]
    .filter(([file]) => !exceptions.has(file))
    .map(
      ([file, named]) =>
        `${file} names ${[...named].join(', ')}: let the contract say it of each resource, or declare in scripts/check-resource-lists.mts why not`,
    ),
  ...[...exceptions.keys()]
    .filter((file) => !lists.has(file))
    .map((file) => `${file} no longer needs an exception: scripts/check-resource-lists.mts`),
];
if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
