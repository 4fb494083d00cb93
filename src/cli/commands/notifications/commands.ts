import { nextStep } from '../../../base/failure.ts';
import { isObject, type Json } from '../../../base/json.ts';
import { counted } from '../../../base/wording.ts';
import {
  mails,
  notifications,
  system_notifications,
  templateTypes,
} from '../../../contract/resources/notifications.ts';
import type { Resource, ResourceName } from '../../../contract/types.ts';
import { type Command, wholeExamples, wholeOptions } from '../../command/command.ts';
import { rangeOptions } from '../cdrs/commands.ts';
import { genericCommands } from '../generic/commands.ts';
import { inputOptions } from '../generic/input-options.ts';
import { type BodyMaker, type CallFacts, callCommand } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

const templateOf = (resource: ResourceName) =>
  ({ id: { name: 'ID', doc: 'Name of the template, such as new_user', completes: { resource } } }) as const;

const templateArguments = templateOf('notifications');
const textOptions = {
  html: { value: 'FILE', doc: 'File with the HTML text' },
  text: { value: 'FILE', doc: 'File with the plain text' },
} as const;
const mailTexts = {
  html: { ...textOptions.html, into: 'nowhere' },
  text: { ...textOptions.text, into: 'nowhere' },
} as const;

const handlers = () => import('./notifications.ts');

/** The template as it is typed: names of templates are their ids. */
const template = { ...templateArguments.id, as: 'text' } as const;
const mail: BodyMaker = async (...given) => (await handlers()).mailOf(...given);
const templatesIn = (data: Json): string =>
  counted(isObject(data) ? Object.keys(data).length : 0, 'template');

const textCommand = (resource: Resource, path: Command['path'], summary: string): Command =>
  callCommand({
    path: [...path, 'text'],
    summary,
    operation: operationFor(resource, 'get'),
    arguments: { id: { ...templateArguments.id, completes: { resource: resource.name }, as: 'text' } },
    options: { html: { doc: 'The HTML text, in place of the plain one', into: 'nowhere' } },
    gives: { text: templateTypes.text },
    given: [{ when: { html: true }, gives: { text: templateTypes.html } }],
    examples: { [`telctl ${path.join(' ')} text new_user --html > new_user.html`]: 'To edit it' },
  });

/** A command that makes or changes a template; `calls` begins with what it usually calls. */
const customiseCommand = (
  resource: Resource,
  path: Command['path'],
  {
    calls,
    examples,
    ...words
  }: Pick<CallFacts, 'examples' | 'summary' | 'description'> & { summary: string; calls: readonly string[] },
): Command => ({
  ...words,
  path: [...path, 'customise'],
  arguments: templateOf(resource.name),
  get options() {
    return { ...inputOptions(resource), ...wholeOptions(textOptions) };
  },
  effect: 'write',
  examples: wholeExamples(examples),
  operations: [...calls, 'upload', 'get'].map((verb) => `${resource.name}.${verb}`),
  shows: resource.name,
  load: async () => (await handlers()).customise(resource),
});

const calls: readonly CallFacts[] = [
  {
    path: ['notifications', 'mails', 'list'],
    summary: 'List mails that the service sent',
    operation: operationFor(mails, 'list'),
    options: { since: rangeOptions.since, until: rangeOptions.until },
    examples: { 'telctl notifications mails list --since 1d': 'Of the last day' },
    shows: 'mails',
    gives: { resource: 'mails', noun: 'mails', rows: 'windows' },
  },
  {
    operation: operationFor(notifications, 'restore'),
    arguments: { id: template },
    examples: { 'telctl notifications restore new_user --yes': 'Without being asked' },
    asks: "Remove the account's own version of template {id}?",
    says: "Template {id} is the service's again.",
  },
  {
    operation: operationFor(notifications, 'restore-all'),
    examples: { 'telctl notifications restore-all --yes': 'Without being asked' },
    asks: "Remove all of the account's own templates?",
    says: (data) => `Removed ${templatesIn(data)}.`,
  },
  {
    operation: operationFor(notifications, 'use-system'),
    examples: { 'telctl notifications use-system --yes': 'Later changes of the service do not show' },
    asks: "Replace all of the account's own templates?",
    says: (data) => `Replaced ${templatesIn(data)}.`,
  },
  {
    operation: operationFor(notifications, 'preview'),
    arguments: { id: template },
    options: {
      ...mailTexts,
      to: {
        value: 'ADDRESS',
        repeat: true,
        doc: 'Who gets the mail; those of the template by default',
        into: 'nowhere',
      },
      subject: { value: 'TEXT', doc: 'Another subject than the template has', into: { data: 'subject' } },
    },
    data: mail,
    examples: {
      'telctl notifications preview new_user --to me@acme.example --html new_user.html': 'Before it counts',
    },
    says: `A mail of template {id} is on its way; see ${nextStep`notifications mails list`}.`,
  },
  {
    operation: operationFor(notifications, 'tell-customers'),
    options: {
      ...mailTexts,
      subject: { value: 'TEXT', required: true, doc: 'Subject of the mail', into: { data: 'subject' } },
      from: { value: 'ADDRESS', doc: 'Sender; that of the template by default', into: { data: 'from' } },
      to: {
        value: 'ACCOUNT',
        doc: 'Only this account right below, by id or name; all of them by default',
        completes: { resource: 'accounts' },
        into: { data: 'recipient_id' },
      },
      allUsers: { doc: 'To all users, not the administrators alone', into: 'nowhere' },
    },
    anyOf: [['text', 'html']],
    data: mail,
    examples: {
      "telctl notifications tell-customers --subject 'Works on Sunday' --text works.txt":
        'To all administrators',
    },
    asks: 'Send this mail to the people of all accounts right below?',
    given: [{ when: { to: true }, asks: 'Send this mail to the people of {to}?' }],
    says: 'The mails are on their way.',
  },
];

export const notificationsCommands: readonly Command[] = [
  ...genericCommands(notifications, ['notifications']),
  textCommand(
    notifications,
    ['notifications'],
    'Print a text of a template, to be changed and sent back with customise',
  ),
  customiseCommand(notifications, ['notifications'], {
    summary: "Make or change an account's own version of a template",
    description:
      "Facts that are not given stay as they are: those of the account's own version, else those of the version that it inherits.",
    examples: {
      "telctl notifications customise new_user --subject 'Welcome, {{user.first_name}}' --html new_user.html":
        'Subject and HTML text; the plain text stays',
    },
    calls: ['customise', 'change'],
  }),
  ...calls.map(callCommand),
  ...genericCommands(mails, ['notifications', 'mails'], ['list']),
  ...genericCommands(system_notifications, ['notifications', 'system']),
  textCommand(
    system_notifications,
    ['notifications', 'system'],
    'Print a text of a template that all accounts inherit',
  ),
  customiseCommand(system_notifications, ['notifications', 'system'], {
    summary: 'Change a template that all accounts inherit, for super administrators',
    description:
      'Facts that are not given stay as they are. Nothing brings the texts of the service back: keep them first, with text.',
    examples: {
      'telctl notifications system customise new_user --html new_user.html':
        'The HTML text, for all accounts without one of their own',
    },
    calls: ['change', 'customise'],
  }),
];
