import { nextStep } from '../../../base/failure.ts';
import { isObject, type Json } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import {
  mails,
  notifications,
  system_notifications,
  templateTypes,
} from '../../../contract/resources/notifications.ts';
import type { Resource, ResourceName } from '../../../contract/types.ts';
import { type Command, completeExamples, completeOptions } from '../../command/command.ts';
import { rangeOptions } from '../cdrs/commands.ts';
import { genericCommands } from '../generic/commands.ts';
import { inputOptions } from '../generic/input-options.ts';
import { type BodyMaker, callCommand, type OperationCommandFacts } from '../operations/operation-command.ts';
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

const loadHandlers = () => import('./notifications.ts');

/** Names of templates are their ids. */
const template = { ...templateArguments.id, as: 'text' } as const;
const mail: BodyMaker = async (...given) => (await loadHandlers()).mailOf(...given);
const templatesIn = (data: Json): string =>
  formatCount(isObject(data) ? Object.keys(data).length : 0, 'template');

const textCommand = (resource: Resource, path: Command['path'], summary: string): Command =>
  callCommand({
    path: [...path, 'text'],
    summary,
    operation: operationFor(resource, 'get'),
    arguments: { id: { ...templateArguments.id, completes: { resource: resource.name }, as: 'text' } },
    options: { html: { doc: 'Print the HTML text instead of the plain text', into: 'nowhere' } },
    gives: { text: templateTypes.text },
    given: [{ when: { html: true }, gives: { text: templateTypes.html } }],
    examples: { [`telctl ${path.join(' ')} text new_user --html > new_user.html`]: 'Save it for editing' },
  });

/** Makes a command that creates or changes a template. `calls` starts with the most common operation. */
const customiseCommand = (
  resource: Resource,
  path: Command['path'],
  {
    calls,
    examples,
    ...words
  }: Pick<OperationCommandFacts, 'examples' | 'summary' | 'description'> & {
    summary: string;
    calls: readonly string[];
  },
): Command => ({
  ...words,
  path: [...path, 'customise'],
  arguments: templateOf(resource.name),
  get options() {
    return { ...inputOptions(resource), ...completeOptions(textOptions) };
  },
  effect: 'write',
  examples: completeExamples(examples),
  operations: [...calls, 'upload', 'get'].map((verb) => `${resource.name}.${verb}`),
  shows: resource.name,
  load: async () => (await loadHandlers()).customise(resource),
});

const calls: readonly OperationCommandFacts[] = [
  {
    path: ['notifications', 'mails', 'list'],
    summary: 'List mails that the service sent',
    operation: operationFor(mails, 'list'),
    options: { since: rangeOptions.since, until: rangeOptions.until },
    examples: { 'telctl notifications mails list --since 1d': 'List mails of the last day' },
    shows: 'mails',
    gives: { resource: 'mails', noun: 'mails', rows: 'windows' },
  },
  {
    operation: operationFor(notifications, 'restore'),
    arguments: { id: template },
    examples: { 'telctl notifications restore new_user --yes': 'Restore it without a question' },
    asks: "Remove the account's own version of template {id}?",
    says: "Restored the service's version of template {id}.",
  },
  {
    operation: operationFor(notifications, 'restore-all'),
    examples: { 'telctl notifications restore-all --yes': 'Restore all templates without confirmation' },
    asks: "Remove all of the account's own templates?",
    says: (data) => `Removed ${templatesIn(data)}.`,
  },
  {
    operation: operationFor(notifications, 'use-system'),
    examples: {
      'telctl notifications use-system --yes':
        'Copy templates, which then ignore later changes of the service',
    },
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
        doc: 'Recipient of the mail (default: those of the template)',
        into: 'nowhere',
      },
      subject: {
        value: 'TEXT',
        doc: 'Subject of the mail (default: that of the template)',
        into: { data: 'subject' },
      },
    },
    data: mail,
    examples: {
      'telctl notifications preview new_user --to me@acme.example --html new_user.html':
        'Send yourself a draft',
    },
    says: `Sending a mail of template {id}. See ${nextStep`notifications mails list`}.`,
  },
  {
    operation: operationFor(notifications, 'tell-customers'),
    options: {
      ...mailTexts,
      subject: { value: 'TEXT', required: true, doc: 'Subject of the mail', into: { data: 'subject' } },
      from: { value: 'ADDRESS', doc: 'Sender (default: that of the template)', into: { data: 'from' } },
      to: {
        value: 'ACCOUNT',
        doc: 'Direct sub-account, by id or name (default: all)',
        completes: { resource: 'accounts' },
        into: { data: 'recipient_id' },
      },
      allUsers: { doc: 'Send to all users, not only to administrators', into: 'nowhere' },
    },
    anyOf: [['text', 'html']],
    data: mail,
    examples: {
      "telctl notifications tell-customers --subject 'Works on Sunday' --text works.txt":
        'Send a mail to all administrators',
    },
    asks: 'Send this mail to the users of all direct sub-accounts?',
    given: [{ when: { to: true }, asks: 'Send this mail to the users of {to}?' }],
    says: 'Sending the mails.',
  },
];

export const notificationsCommands: readonly Command[] = [
  ...genericCommands(notifications, ['notifications']),
  textCommand(notifications, ['notifications'], 'Print a text of a template, to edit and pass to customise'),
  customiseCommand(notifications, ['notifications'], {
    summary: "Make or change an account's own version of a template",
    description:
      "Keeps fields that you do not pass: those of the account's own version, or else of the inherited one.",
    examples: {
      "telctl notifications customise new_user --subject 'Welcome, {{user.first_name}}' --html new_user.html":
        'Change subject and HTML text, and keep the plain text',
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
      'Keeps fields that you do not name. The original texts of the service cannot be restored, so save them first with text.',
    examples: {
      'telctl notifications system customise new_user --html new_user.html':
        'Change the HTML text for all accounts without their own version',
    },
    calls: ['change', 'customise'],
  }),
];
