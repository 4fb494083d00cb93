import { freeObject, integer, mapOf, text, texts } from '../fields.ts';
import { collection } from '../operations.ts';
import { resource } from '../resource.ts';
import * as shared from '../structures.ts';
import { timeRangeQuery } from './cdrs.ts';

const common = { resource: 'mails', section: 'Conventions, Notifications', errors: 'reference' } as const;
const made = { readOnly: true } as const;

export const mails = resource({
  name: 'mails',
  singular: 'mail',
  summary: 'Mails that the service sent',
  order: 187,
  section: common.section,
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
    { header: 'TO', paths: ['to'] },
    { header: 'SUBJECT', paths: ['subject'] },
    { header: 'ERROR', paths: ['error'], sparse: true },
    { header: 'ID', paths: ['id'], show: 'id' },
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
      path: '/accounts/{account_id}/notifications/smtplog',
      without: ['create', 'update', 'patch', 'delete'],
      except: {
        list: { section: common.section, query: timeRangeQuery, summary: 'List mails of a range of time' },
        get: { section: common.section },
      },
    }),
  ],
});
