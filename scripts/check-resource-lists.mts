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
  ['src/engine/callflows/flow-set.ts', 'what a call is led by'],
  ['src/extensions/calls/lint/lint.ts', 'what callflows are owned by and reached by'],
  ['src/extensions/calls/lint/account-rules.ts', 'what may be wrong with the records that calls use'],
  ['src/extensions/calls/lint/number-rules.ts', 'what may be wrong with numbers of each kind of record'],
  ['src/extensions/calls/lint/step-rules.ts', 'what may be wrong with what steps lead to'],
  ['src/extensions/calls/commands/lint.ts', 'what rules about steps read beside callflows'],
  ['src/extensions/calls/engine/describe-call.ts', 'records that a call comes past'],
  ['src/extensions/calls/commands/trace-call.ts', 'who calls'],
  ['src/extensions/calls/commands/trace.ts', 'records that steps of a call go on to'],
  ['src/cli/commands/agents/commands.ts', 'agents are users in queues'],
  ['src/cli/commands/channels/commands.ts', 'whose live calls are listed, and where they are sent'],
  [
    'src/cli/commands/numbers/commands.ts',
    'verbs of numbers: searching, and the carriers that numbers come from',
  ],
  ['src/cli/commands/queues/commands.ts', 'agents of queues are users, or wait at devices'],
  ['src/cli/commands/vmboxes/commands.ts', 'nouns of messages and fax, each with commands of its own'],
  ['src/cli/commands/ledgers/commands.ts', 'nouns of money, each with commands of its own'],
  ['src/cli/commands/carriers/commands.ts', 'nouns of the operator, each with commands of its own'],
  ['src/cli/commands/users/onboard-form.ts', 'what a new user is given'],
  ['src/cli/commands/users/onboard-people.ts', 'the records by which people of a file are known'],
  ['src/cli/commands/users/onboard-plan.ts', 'the records of a new person'],
  ['src/cli/commands/users/onboard.ts', 'words for the records of new people'],
  ['src/cli/commands/manifest/init/init-command.ts', 'what a first manifest shows of an account'],
  ['src/cli/commands/users/offboard.ts', 'what belongs to a user alone, and ends with the user'],
  [
    'src/extensions/sandbox/console/api-reader.ts',
    'what pages read beside records: the tree, attempts, messages',
  ],
  ['src/cli/commands/accounts/adapt-manifest.ts', 'who becomes a plain user, and which flows go'],
  ['src/cli/commands/audit/rules.ts', 'what may be weak about each kind of record'],
  ['src/cli/commands/audit/audit.ts', 'what stands in no manifest for a reason'],
  ['src/cli/commands/audit/findings.ts', 'what each finding is about'],
  ['src/cli/commands/notifications/commands.ts', 'templates of accounts, and the mails made of them'],
  ['src/extensions/sandbox/operations/notifications.ts', 'templates of accounts, and the mails made of them'],
  ['src/extensions/sandbox/events/event.ts', 'who causes an event, and which notification it is'],
  ['src/extensions/sandbox/events/mails.ts', 'who gets the mail of a notification'],
  ['src/extensions/sandbox/operations/live-calls.ts', 'whose live calls are listed, and where they are sent'],
  ['src/extensions/calls/make-calls.ts', 'what calls read beside what steps refer to'],
  ['src/extensions/calls/engine/records.ts', 'what calls look up in an account'],
  ['src/extensions/calls/engine/callers.ts', 'who calls'],
  ['src/extensions/calls/engine/make-call.ts', 'how a call finds its callflow, and who may not make it'],
  ['src/extensions/calls/engine/endpoints.ts', 'what rings for a group'],
  ['src/cli/commands/accounts/adapt-manifest.ts', 'what an account has for itself alone'],
  ['src/extensions/calls/engine/modules/ringing.ts', 'what rings for a user, a group or a device'],
  ['src/extensions/calls/engine/modules/entries.ts', 'records that steps of a call go on to'],
  ['src/extensions/calls/engine/modules/queues.ts', 'agents of queues are users'],
  ['src/extensions/calls/engine/modules/settings.ts', 'what feature codes write'],
  ['src/extensions/calls/cases/read-words.ts', 'words of expectations'],
  ['src/extensions/calls/cases/run-case.ts', 'who calls, and who is called'],
  ['src/extensions/calls/cases/call-facts.ts', 'who was rung, and in which box a message lies'],
  ['src/extensions/calls/cases/check-expectations.ts', 'words of ends_in, and what each names'],
  ['src/extensions/sandbox/calls/call-account.ts', 'records that calls read'],
  ['src/extensions/sandbox/calls/call-effects.ts', 'what a call leaves behind'],
  ['src/extensions/sandbox/calls/call-input.ts', 'what a call depends on beside callflows'],
  ['src/extensions/sandbox/calls/keep-call.ts', 'what is taken back where a call goes on in another way'],
  ['src/extensions/sandbox/calls/made-call.ts', 'who a call came from and went to'],
  ['src/extensions/sandbox/operations/cdrs.ts', 'what records of calls name'],
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
