import { either, flag, integer, list, object, text, texts } from '../fields.ts';
import { collection, resource } from '../resource.ts';
import * as shared from '../structures.ts';

const ours = { source: 'convention' } as const;
const tries = (doc: string, standard: number) =>
  integer(doc, { option: true, convention: { minimum: 0, maximum: 4, default: standard } });

/** Those who are told of a fax: addresses, numbers, a program. */
const told = (doc: string) =>
  object(
    {
      email: object(
        {
          send_to: either(
            list(text('An address', { convention: { format: 'email' } }), 'Addresses'),
            text('An address', { convention: { format: 'email' } }),
          ),
        },
        'By e-mail',
        ours,
      ),
      sms: object(
        {
          send_to: either(
            texts('Numbers', { outward: true, dialled: true }),
            text('A number', { outward: true, dialled: true }),
          ),
        },
        'By SMS',
      ),
      callback: object(
        {
          url: text('Address that is called', { secretBearing: true, convention: { pattern: '^https?://' } }),
          method: text('Method of the request', { convention: { enum: ['post', 'put'] } }),
          type: text('Form of the body', { convention: { enum: ['json', 'www-url-form-encoded'] } }),
        },
        'By a request that carries the record of the fax',
        ours,
      ),
    },
    doc,
    ours,
  );

export const faxboxes = resource({
  name: 'faxboxes',
  singular: 'faxbox',
  summary: 'Fax boxes: sender, notices, who may fax by e-mail',
  order: 115,
  naturalKeys: ['name'],
  section: 'Conventions, fax boxes',
  doc: 'A fax box',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    owner_id: text('User who owns it', { option: true, ref: 'users' }),
    caller_id: text('Number that it sends from', { option: true, dialled: true }),
    caller_name: text('Name that it sends with', {
      option: true,
      convention: { default: 'Kazoo Fax Printer' },
    }),
    fax_header: text('Line at the top of each page', {
      option: true,
      convention: { default: 'Kazoo Fax Printer' },
    }),
    fax_identity: text('Number that it gives as its own', { option: true }),
    fax_timezone: text('Time zone of the dates on its pages', { option: true, names: 'time-zone' }),
    retries: tries('How often a fax is sent again', 1),
    attempts: integer('How often sending was tried; set back by each write', {
      readOnly: true,
      convention: { minimum: 0, maximum: 4, default: 0 },
    }),
    custom_smtp_email_address: text('Own address for faxes by e-mail, unique in the whole service', {
      option: true,
      outward: true,
    }),
    smtp_email_address: text('Address for faxes by e-mail, made by the service', { readOnly: true }),
    smtp_permission_list: texts(
      'Addresses, or regular expressions for them, that may fax by e-mail beside the owner',
      { outward: true, convention: { default: [] } },
    ),
    media: object({ fax_option: flag('Use T.38') }, 'Media'),
    notifications: object(
      { inbound: told('Of faxes that were received'), outbound: told('Of faxes that were sent') },
      'Those who are told',
      ours,
    ),
    flags: shared.flags,
  }),
  required: [{ fields: ['name'], on: ['create', 'update'], source: 'convention' }],
  unique: [{ field: 'custom_smtp_email_address', within: 'service' }],
  columns: [
    'name',
    { header: 'NUMBER', paths: ['caller_id'] },
    'owner_id',
    { header: 'ADDRESS', paths: ['smtp_email_address'] },
    'id',
  ],
  sections: [{ order: 115 }],
  // Compatible services list whole records.
  listFields: [],
  operations: [
    collection({
      except: {
        // The part is taken for the whole record: what it leaves out gets the values of a new one.
        patch: { body: { kind: 'partial', whole: true } },
      },
    }),
  ],
});
