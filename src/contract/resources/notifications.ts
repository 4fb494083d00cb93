import { flag, freeObject, integer, list, mapOf, object, openObject, text, texts } from '../fields.ts';
import { collection, type ResourceFacts, resource, timeRange, value } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/notifications' as const;
const one = `${path}/{notification_id}` as const;

export const templateTypes = { html: 'text/html', text: 'text/plain' } as const;
/** Largest text of a template, in bytes, as far as telctl sends one. */
export const largestTemplate = 1_000_000;
const textFile = { kind: 'file', types: Object.values(templateTypes), largest: largestTemplate } as const;

const addresses = list(text('An address', { convention: { format: 'email' } }), 'Used with type specified');
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
/** Changes of a template for one mail: of a preview, and of a mail to customers. */
const forOneMail = {
  from: text('Sender'),
  reply_to: text('Address for replies'),
  subject: text('Subject; may hold macros'),
  to: receivers('Receivers'),
  cc: receivers('Receivers of a copy'),
  bcc: receivers('Receivers of a hidden copy'),
  html: text('HTML text, in Base64'),
  plain: text('Plain text'),
} as const;
const word = value(text('What the service says'));
const outcomes = value(mapOf(text('replaced or deleted'), 'What was done, by template'));

/** Facts of templates, whether an account has them or the whole service. */
export const templateFacts = {
  section: 'Conventions, Notifications',
  doc: 'The template of a mail',
  fields: () => ({
    id: text('Name of the template, such as new_user'),
    category: text('What it is about: user, fax, voicemail …'),
    friendly_name: text('Name for people', { readOnly: true }),
    enabled: flag('Such mails are sent', { option: true, convention: { default: true } }),
    from: text('Sender; may hold macros', { option: true, convention: { format: 'email' } }),
    reply_to: text('Address for replies', { option: true, convention: { format: 'email' } }),
    subject: text('Subject; may hold macros', { option: true, convention: { minLength: 1, maxLength: 200 } }),
    to: receivers('Receivers'),
    cc: receivers('Receivers of a copy'),
    bcc: receivers('Receivers of a hidden copy'),
    template_charset: text('Character set', { convention: { default: 'utf-8' } }),
    macros: mapOf(
      openObject({ friendly_name: text('Name'), description: text('Meaning') }, 'A macro'),
      'Macros that it may hold, by name',
      { readOnly: true },
    ),
    account_overridden: flag('The account has its own version', { readOnly: true }),
    account_defined: flag('The account alone has it', { readOnly: true }),
    templates: mapOf(
      object({ length: integer('Size in bytes', { shownAs: 'bytes' }) }, 'A text'),
      'Its texts, by content type',
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
  summary: 'Templates of the mails that the service sends, and the mails that went out',
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
    find: 'Templates are named by the service',
    page: 'Most templates are the service’s own',
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
        summary: "Replace all of an account's own templates by copies of the service's",
      },
      'restore-all': {
        route: `DELETE ${path}`,
        body: { kind: 'action', action: 'remove_customizations' },
        reply: outcomes,
        summary: "Remove all of an account's own templates; the service's show again",
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
        summary: "Make an account's own version of a template",
      },
      change: {
        route: `POST ${one}`,
        body: { kind: 'record' },
        summary: "Replace the facts of an account's own template",
      },
      upload: {
        route: `POST ${one}`,
        body: textFile,
        summary: "Replace one text of an account's own template",
      },
      restore: {
        route: `DELETE ${one}`,
        summary: "Remove an account's own version of a template; the service's shows again",
      },
      preview: {
        route: `POST ${one}/preview`,
        repeat: 'never',
        body: value(object(forOneMail, 'What differs from the template')),
        reply: word,
        summary: 'Send a mail with sample values, to see a template',
      },
      'tell-customers': {
        route: `POST ${path}/customer_update/message`,
        effect: 'destructive',
        repeat: 'never',
        body: value(
          object(
            {
              recipient_id: text('Account right below; all of them where left out', { ref: 'accounts' }),
              user_type: text('admins_only, all_users, or the id of a user', {
                convention: { default: 'admins_only' },
              }),
              ...forOneMail,
            },
            'A mail to customers',
          ),
        ),
        reply: word,
        summary: 'Send a mail to the people of the accounts right below',
      },
    },
  ],
});

const oneOfSystem = '/notifications/{system_notification_id}';

export const system_notifications = resource({
  ...templateFacts,
  name: 'system_notifications',
  singular: 'system notification',
  summary: 'Templates of mails that all accounts inherit, changed by super administrators',
  order: 188,
  commandWords: ['notifications', 'system'],
  absent: {
    manifests: 'They belong to the whole service',
    find: 'Templates are named by the service',
    page: 'They belong to the whole service',
    trial: 'mails would look different',
  },
  // No account has its own version of these.
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
        summary: 'Replace the facts of a template that all accounts inherit',
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
  summary: 'Mails that the service sent',
  order: 187,
  section: 'Conventions, Notifications',
  doc: 'A mail that was sent',
  fields: () => ({
    id: shared.id,
    template_id: text('Template', made),
    from: text('Sender', made),
    to: text('First receiver', made),
    subject: text('Subject', made),
    error: text('What went wrong', made),
    created: integer('When, in Gregorian seconds', { ...made, shownAs: 'moment' }),
    receipt: text('What the mail server said', made),
    emails: mapOf(texts('Addresses'), 'All receivers, by kind', made),
    macros: freeObject('Values of the macros', made),
    rendered_templates: mapOf(text('A text'), 'The texts as they were sent, by content type', made),
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
    manifests: 'A mail was sent, and is no setting',
    find: 'Mails are many, and searched by their own list',
    orphans: 'Mails outlive what they were about',
    page: 'Mails are listed by the command line',
    trial: 'mails cannot be made',
  },
  listOrder: 'created',
  listFields: ['template_id', 'from', 'to', 'error', 'subject', 'created', 'receipt'],
  operations: [
    collection({
      path: `${path}/smtplog`,
      section: 'Conventions, Notifications',
      without: ['create', 'update', 'patch', 'delete'],
      except: { list: { query: timeRange, summary: 'List mails of a range of time' } },
    }),
  ],
});
