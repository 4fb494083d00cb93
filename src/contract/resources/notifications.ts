import { flag, freeObject, integer, list, mapOf, object, openObject, text, texts } from '../fields.ts';
import { collection, type ResourceFacts, resource, timeRangeFilters, value } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/notifications' as const;
const one = `${path}/{notification_id}` as const;

export const templateTypes = { html: 'text/html', text: 'text/plain' } as const;
/** Size in bytes. */
export const largestTemplate = 1_000_000;
const textFile = { kind: 'file', types: Object.values(templateTypes), largest: largestTemplate } as const;

const addresses = list(
  text('An address', { convention: { format: 'email' } }),
  'Addresses (only with type specified)',
);
const receivers = (doc: string) =>
  object(
    {
      type: text('original: whom it is about; admins: all administrators; specified: the addresses', {
        convention: { enum: ['original', 'specified', 'admins'] },
      }),
      email_addresses: addresses,
    },
    doc,
  );
/** Changes of a template for a preview, or for a mail to customers. */
const forOneMail = {
  from: text('Sender'),
  reply_to: text('Address for replies'),
  subject: text('Subject, which may contain macros'),
  to: receivers('Receivers'),
  cc: receivers('Recipients of a copy'),
  bcc: receivers('Recipients of a blind copy'),
  html: text('HTML text, in Base64'),
  plain: text('Plain text'),
} as const;
const word = value(text('Message from the service'));
const outcomes = value(mapOf(text('replaced or deleted'), 'Result, by template'));

/** Shared by the templates of an account and of the service. */
export const templateFacts = {
  section: 'Conventions, Notifications',
  doc: 'An e-mail template',
  fields: () => ({
    id: text('Name of the template, such as new_user'),
    category: text('Category: user, fax, voicemail, …'),
    friendly_name: text('Name for people', { readOnly: true }),
    enabled: flag('Send these e-mails', { option: true, convention: { default: true } }),
    from: text('Sender, which may contain macros', { option: true, convention: { format: 'email' } }),
    reply_to: text('Address for replies', { option: true, convention: { format: 'email' } }),
    subject: text('Subject, which may contain macros', {
      option: true,
      convention: { minLength: 1, maxLength: 200 },
    }),
    to: receivers('Receivers'),
    cc: receivers('Recipients of a copy'),
    bcc: receivers('Recipients of a blind copy'),
    template_charset: text('Character set', { convention: { default: 'utf-8' } }),
    macros: mapOf(
      openObject({ friendly_name: text('Name'), description: text('Meaning') }, 'A macro'),
      'Available macros, by name',
      { readOnly: true },
    ),
    account_overridden: flag('The account has its own version', { readOnly: true }),
    account_defined: flag('The template exists only in this account', { readOnly: true }),
    templates: mapOf(
      object({ length: integer('Size in bytes', { shownAs: 'bytes' }) }, 'A text'),
      'Texts of the template, by content type',
      { readOnly: true },
    ),
  }),
  required: [{ fields: ['from', 'subject', 'to'], on: ['create', 'update'], source: 'convention' }],
  columns: [
    { header: 'ID', paths: ['id'] },
    'category',
    { header: 'NAME', paths: ['friendly_name'] },
    { header: 'SENT', paths: ['enabled'], show: 'flag' },
    { header: 'OWN', paths: ['account_overridden'], show: 'flag' },
  ],
} as const satisfies Partial<ResourceFacts>;

export const notifications = resource({
  ...templateFacts,
  name: 'notifications',
  singular: 'notification',
  summary: 'Templates of e-mails, and a log of sent e-mails',
  order: 186,
  sections: [
    {
      order: 190,
      calls: {
        list: 'list',
        get: 'get',
        create: 'customise',
        replace: 'change',
        delete: 'restore',
        text: 'upload',
      },
      texts: templateTypes,
      inherited: { marks: ['account_overridden', 'account_defined'], named: 'friendly_name' },
    },
  ],
  absent: {
    find: 'The service names the templates',
    page: 'Most templates belong to the service',
    trial: 'mails would look different',
  },
  listFields: ['category', 'friendly_name', 'macros', 'enabled', 'account_overridden'],
  operations: [
    {
      'use-system': {
        route: `PUT ${path}`,
        effect: 'destructive',
        repeat: 'idempotent',
        body: { kind: 'action', action: 'force_system' },
        reply: outcomes,
        summary: "Replace all templates of an account with copies of the service's",
      },
      'restore-all': {
        route: `DELETE ${path}`,
        body: { kind: 'action', action: 'remove_customizations' },
        reply: outcomes,
        summary: "Remove all templates of an account and use the service's again",
      },
    },
    collection({
      without: ['create', 'update', 'patch', 'delete'],
      except: { get: { section: 'Conventions, Notifications', accepts: Object.values(templateTypes) } },
    }),
    {
      customise: {
        route: `PUT ${path}`,
        body: { kind: 'record' },
        summary: "Create an account's own version of a template",
      },
      change: {
        route: `POST ${one}`,
        body: { kind: 'record' },
        summary: "Replace the properties of an account's own template",
      },
      upload: {
        route: `POST ${one}`,
        body: textFile,
        summary: "Replace one text of an account's own template",
      },
      restore: {
        route: `DELETE ${one}`,
        summary: "Remove an account's own version of a template and use the service's again",
      },
      preview: {
        route: `POST ${one}/preview`,
        repeat: 'never',
        body: value(object(forOneMail, 'Differences from the template')),
        reply: word,
        summary: 'Send a preview of a template with sample values',
      },
      'tell-customers': {
        route: `POST ${path}/customer_update/message`,
        effect: 'destructive',
        repeat: 'never',
        body: value(
          object(
            {
              recipient_id: text('Account directly below (default: all of them)', { ref: 'accounts' }),
              user_type: text('admins_only, all_users, or the id of a user', {
                convention: { default: 'admins_only' },
              }),
              ...forOneMail,
            },
            'An e-mail to customers',
          ),
        ),
        reply: word,
        summary: 'Send an e-mail to users of the accounts directly below',
      },
    },
  ],
});

const oneOfSystem = '/notifications/{system_notification_id}';

export const system_notifications = resource({
  ...templateFacts,
  name: 'system_notifications',
  singular: 'system notification',
  summary: 'E-mail templates that all accounts inherit (super administrators only)',
  order: 188,
  commandWords: ['notifications', 'system'],
  absent: {
    manifests: 'Belongs to the whole service',
    find: 'The service names the templates',
    page: 'Belongs to the whole service',
    trial: 'mails would look different',
  },
  // Accounts have no versions of these templates.
  columns: templateFacts.columns.slice(0, -1),
  listFields: ['category', 'friendly_name', 'macros', 'enabled'],
  operations: [
    collection({
      path: '/notifications',
      without: ['create', 'update', 'patch', 'delete'],
      except: { get: { section: templateFacts.section, accepts: Object.values(templateTypes) } },
    }),
    {
      customise: {
        route: 'PUT /notifications',
        body: { kind: 'record' },
        role: 'super',
        summary: 'Add a template that all accounts inherit',
      },
      change: {
        route: `POST ${oneOfSystem}`,
        body: { kind: 'record' },
        role: 'super',
        summary: 'Replace the properties of a template that all accounts inherit',
      },
      upload: {
        route: `POST ${oneOfSystem}`,
        body: textFile,
        role: 'super',
        summary: 'Replace one text of a template that all accounts inherit',
      },
    },
  ],
});

const made = { readOnly: true } as const;

export const mails = resource({
  name: 'mails',
  singular: 'mail',
  summary: 'E-mails sent by the service',
  order: 187,
  section: 'Conventions, Notifications',
  doc: 'A sent e-mail',
  fields: () => ({
    id: shared.id,
    template_id: text('Template', made),
    from: text('Sender', made),
    to: text('First receiver', made),
    subject: text('Subject', made),
    error: text('What went wrong', made),
    created: integer('Time, in Gregorian seconds', { ...made, shownAs: 'moment' }),
    receipt: text('Response of the mail server', made),
    emails: mapOf(texts('Addresses'), 'All recipients, by type', made),
    macros: freeObject('Values of the macros', made),
    rendered_templates: mapOf(text('A text'), 'The sent texts, by content type', made),
    account_id: text('Account', made),
  }),
  columns: [
    { header: 'SENT', paths: ['created'], show: 'time' },
    { header: 'TEMPLATE', paths: ['template_id'] },
    'to',
    'subject',
    { header: 'ERROR', paths: ['error'], sparse: true },
    'id',
  ],
  commandWords: ['notifications', 'mails'],
  absent: {
    manifests: 'A sent e-mail is not a setting',
    find: 'E-mails are numerous and have their own list',
    orphans: 'E-mails outlive the records that they refer to',
    page: 'The command line lists e-mails',
    trial: 'mails cannot be made',
  },
  listOrder: 'created',
  listFields: ['template_id', 'from', 'to', 'error', 'subject', 'created', 'receipt'],
  operations: [
    collection({
      path: `${path}/smtplog`,
      section: 'Conventions, Notifications',
      without: ['create', 'update', 'patch', 'delete'],
      except: { list: { query: timeRangeFilters, summary: 'List e-mails in a time range' } },
    }),
  ],
});
