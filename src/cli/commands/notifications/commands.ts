import { mails } from '../../../contract/resources/mails.ts';
import { notifications } from '../../../contract/resources/notifications.ts';
import { system_notifications } from '../../../contract/resources/system-notifications.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import { rangeOptions } from '../cdrs/commands.ts';
import { genericCommands } from '../generic/commands.ts';
import { inputOptions } from '../generic/input-options.ts';

/** The argument of commands about one template. */
const templateOf = (resource: ResourceName) =>
  ({
    id: { name: 'ID', doc: 'Name of the template, such as new_user', completes: { resource } },
  }) as const;

export const templateArguments = templateOf('notifications');
const textOptions = {
  html: { flag: 'html', value: 'FILE', doc: 'File with the HTML text', completes: 'file' },
  text: { flag: 'text', value: 'FILE', doc: 'File with the plain text', completes: 'file' },
} as const;
export const showOptions = {
  html: { flag: 'html', doc: 'The HTML text, in place of the plain one' },
} as const;
export const previewOptions = {
  ...textOptions,
  to: {
    flag: 'to',
    value: 'ADDRESS',
    repeat: true,
    doc: 'Who gets the mail; those of the template by default',
  },
  subject: { flag: 'subject', value: 'TEXT', doc: 'Another subject than the template has' },
} as const;
export const customerMailOptions = {
  ...textOptions,
  subject: { flag: 'subject', value: 'TEXT', required: true, doc: 'Subject of the mail' },
  from: { flag: 'from', value: 'ADDRESS', doc: 'Sender; that of the template by default' },
  to: {
    flag: 'to',
    value: 'ACCOUNT',
    doc: 'Only this account right below, by id or name; all of them by default',
    completes: { resource: 'accounts' },
  },
  allUsers: { flag: 'all-users', doc: 'To all users, not the administrators alone' },
} as const;
export const mailOptions = { since: rangeOptions.since, until: rangeOptions.until } as const;

const handlers = () => import('./notifications.ts');

const show = defineCommand({
  path: ['notifications', 'text'],
  summary: 'Print a text of a template, to be changed and sent back with customise',
  arguments: templateArguments,
  options: showOptions,
  effect: 'read',
  examples: [{ line: 'telctl notifications text new_user --html > new_user.html', doc: 'To edit it' }],
  operations: ['notifications.get'],
  load: async () => (await handlers()).templateText(notifications),
});

const customise: Command = {
  path: ['notifications', 'customise'],
  summary: "Make or change an account's own version of a template",
  description:
    "Facts that are not given stay as they are: those of the account's own version, else those of the version that it inherits.",
  arguments: templateArguments,
  get options() {
    return { ...inputOptions(notifications), ...textOptions };
  },
  effect: 'write',
  examples: [
    {
      line: "telctl notifications customise new_user --subject 'Welcome, {{user.first_name}}' --html new_user.html",
      doc: 'Subject and HTML text; the plain text stays',
    },
  ],
  operations: [
    'notifications.customise',
    'notifications.change',
    'notifications.upload',
    'notifications.get',
  ],
  shows: 'notifications',
  load: async () => (await handlers()).customise(notifications),
};

const showSystem = defineCommand({
  path: ['notifications', 'system', 'text'],
  summary: 'Print a text of a template that all accounts inherit',
  arguments: templateOf('system_notifications'),
  options: showOptions,
  effect: 'read',
  examples: [{ line: 'telctl notifications system text new_user --html > new_user.html', doc: 'To edit it' }],
  operations: ['system_notifications.get'],
  load: async () => (await handlers()).templateText(system_notifications),
});

const customiseSystem: Command = {
  path: ['notifications', 'system', 'customise'],
  summary: 'Change a template that all accounts inherit, for super administrators',
  description:
    'Facts that are not given stay as they are. Nothing brings the texts of the service back: keep them first, with text.',
  arguments: templateOf('system_notifications'),
  get options() {
    return { ...inputOptions(system_notifications), ...textOptions };
  },
  effect: 'write',
  examples: [
    {
      line: 'telctl notifications system customise new_user --html new_user.html',
      doc: 'The HTML text, for all accounts without one of their own',
    },
  ],
  operations: [
    'system_notifications.change',
    'system_notifications.customise',
    'system_notifications.upload',
    'system_notifications.get',
  ],
  shows: 'system_notifications',
  load: async () => (await handlers()).customise(system_notifications),
};

const restore = defineCommand({
  path: ['notifications', 'restore'],
  summary: "Remove an account's own version of a template; the service's shows again",
  arguments: templateArguments,
  options: {},
  effect: 'destructive',
  examples: [{ line: 'telctl notifications restore new_user --yes', doc: 'Without being asked' }],
  operations: ['notifications.restore'],
  load: async () => (await handlers()).restore,
});

const restoreAll = defineCommand({
  path: ['notifications', 'restore-all'],
  summary: "Remove all of an account's own templates; the service's show again",
  arguments: {},
  options: {},
  effect: 'destructive',
  examples: [{ line: 'telctl notifications restore-all --yes', doc: 'Without being asked' }],
  operations: ['notifications.restore-all'],
  load: async () => (await handlers()).forAll('restore-all'),
});

const useSystem = defineCommand({
  path: ['notifications', 'use-system'],
  summary: "Replace all of an account's own templates by copies of the service's",
  arguments: {},
  options: {},
  effect: 'destructive',
  examples: [
    { line: 'telctl notifications use-system --yes', doc: 'Later changes of the service do not show' },
  ],
  operations: ['notifications.use-system'],
  load: async () => (await handlers()).forAll('use-system'),
});

const preview = defineCommand({
  path: ['notifications', 'preview'],
  summary: 'Send a mail with sample values, to see a template',
  arguments: templateArguments,
  options: previewOptions,
  effect: 'write',
  examples: [
    {
      line: 'telctl notifications preview new_user --to me@acme.example --html new_user.html',
      doc: 'Before it counts',
    },
  ],
  operations: ['notifications.preview'],
  load: async () => (await handlers()).preview,
});

const tell = defineCommand({
  path: ['notifications', 'tell-customers'],
  summary: 'Send a mail to the people of the accounts right below',
  arguments: {},
  options: customerMailOptions,
  anyOf: [['text', 'html']],
  effect: 'destructive',
  examples: [
    {
      line: "telctl notifications tell-customers --subject 'Works on Sunday' --text works.txt",
      doc: 'To all administrators',
    },
  ],
  operations: ['notifications.tell-customers'],
  load: async () => (await handlers()).mailCustomers,
});

const listMails = defineCommand({
  path: ['notifications', 'mails', 'list'],
  summary: 'List mails that the service sent',
  arguments: {},
  options: mailOptions,
  effect: 'read',
  examples: [{ line: 'telctl notifications mails list --since 1d', doc: 'Of the last day' }],
  operations: ['mails.list'],
  shows: 'mails',
  load: async () => (await handlers()).listMails,
});

export const notificationsCommands: readonly Command[] = [
  ...genericCommands(notifications, ['notifications']),
  show,
  customise,
  restore,
  restoreAll,
  useSystem,
  preview,
  tell,
  listMails,
  ...genericCommands(mails, ['notifications', 'mails'], ['list']),
  ...genericCommands(system_notifications, ['notifications', 'system']),
  showSystem,
  customiseSystem,
];
