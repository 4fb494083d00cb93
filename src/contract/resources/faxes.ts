import { flag, freeObject, integer, list, object, text, texts } from '../fields.ts';
import { collection, listOperation, resource, timeRangeFilters } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/faxes';
const tries = { minimum: 0, maximum: 4 } as const;
/** Recipients by e-mail or text message. `rule` applies to each. */
const sendTo = (doc: string, one: string, rule: { readonly format?: 'email' } = {}) =>
  object(
    {
      send_to: list(text(one, { convention: rule }), 'Whom to tell', {
        outward: true,
        convention: { alsoType: ['string'], ...rule },
      }),
    },
    doc,
  );
const stored = { section: 'Conventions, faxes' } as const;
const made = { source: 'convention', readOnly: true } as const;

export const faxes = resource({
  name: 'faxes',
  singular: 'fax',
  summary: 'Faxes: send them and follow their result',
  order: 120,
  shownWithoutId: true,
  section: 'Resources and their fields, Fax',
  listedIn: 'Endpoints, Account resources',
  doc: 'A fax',
  fields: () => ({
    id: shared.id,
    from_number: text("Sender's number", { option: true, dialled: true }),
    from_name: text('Name of the sender', { option: true }),
    to_number: text("Recipient's number", {
      outward: true,
      dialled: true,
      option: true,
      convention: { pattern: shared.routablePattern },
    }),
    to_name: text("Recipient's name", { option: true }),
    attempts: integer('Tries so far', { convention: { ...tries, default: 0 } }),
    document: object(
      {
        content: text('Body of the request that fetches the document', { convention: { maxLength: 256 } }),
        content_type: text('Content type of that body'),
        host: text('Host header of that request'),
        method: text('Method of that request', { convention: { enum: ['get', 'post'], default: 'get' } }),
        referer: text('Referer header of that request'),
        url: text('URL of the document', { secretBearing: true, convention: { pattern: '^https?://' } }),
      },
      'The document to send',
      { convention: { required: ['url'] } },
    ),
    notifications: object(
      {
        email: sendTo('By e-mail', 'An address', { format: 'email' }),
        sms: sendTo('By text message', 'A number'),
      },
      'Recipients of the result',
    ),
    retries: integer('Most tries', { option: true, default: 1, convention: tries }),
    tx_result: object(
      {
        error_message: text('What failed', { convention: { default: '' } }),
        fax_bad_rows: integer('Damaged rows', { convention: { default: 0 } }),
        fax_error_correction: flag('Error correction was used', { convention: { default: false } }),
        fax_receiver_id: text('Identification of the receiver', { convention: { default: '' } }),
        fax_speed: integer('Bits a second', { convention: { default: 0 } }),
        pages_sent: integer('Pages sent', { convention: { default: 0 } }),
        success: flag('The fax arrived', { convention: { default: false } }),
        time_elapsed: integer('Seconds it took', { shownAs: 'seconds', convention: { default: 0 } }),
      },
      'Result of the last attempt',
    ),
    faxbox_id: text('Fax box whose settings apply', { source: 'convention', ref: 'faxboxes' }),
    status: text('State of the job', {
      ...made,
      convention: {
        enum: [
          'attaching files',
          'pending',
          'locked',
          'processing',
          'completed',
          'failed',
          'resubmitting',
          'not available',
          'received',
        ],
      },
    }),
    folder: text('Folder: outbox or inbox', made),
    rx_result: freeObject('Reception result', made),
    created: integer('Time of creation, in Gregorian seconds', { ...made, shownAs: 'moment' }),
    to: text("Recipient's number", made),
    from: text("Sender's number", made),
  }),
  required: [{ fields: ['from_number', 'to_number'], on: ['create'], source: 'specification' }],
  lines: [
    {
      flag: 'document',
      value: 'URL',
      fields: ['document'],
      doc: 'URL of the PDF or TIFF document, fetched by the service',
      read: (url) => ({ document: { url, method: 'get' } }),
    },
  ],
  columns: [
    'from',
    'to',
    'status',
    'attempts',
    { header: 'CREATED', paths: ['created'], show: 'time', sparse: true },
    'id',
  ],
  absent: { manifests: 'A fax is an action, not a setting', trial: 'a fax would be sent' },
  listOrder: 'created',
  listFields: ['faxbox_id', 'status', 'to', 'from', 'attempts', 'created'],
  operations: [
    collection({
      documented: ['create'],
      without: ['update', 'patch', 'delete'],
      except: {
        list: { route: `GET ${path}/outgoing`, summary: 'List queued and active outgoing faxes' },
        get: { route: `GET ${path}/outgoing/{fax_id}`, summary: 'Show one queued or active outgoing fax' },
        create: { summary: 'Send a fax' },
      },
    }),
    {
      received: { route: `GET ${path}/inbox/{fax_id}`, ...stored, summary: 'Show one received fax' },
      sent: {
        route: `GET ${path}/outbox/{fax_id}`,
        ...stored,
        summary: 'Show one sent or failed fax',
      },
      'delete-received': {
        route: `DELETE ${path}/inbox/{fax_id}`,
        ...stored,
        summary: 'Delete a received fax',
      },
      'delete-sent': {
        route: `DELETE ${path}/outbox/{fax_id}`,
        ...stored,
        summary: 'Delete a sent or failed fax',
      },
      resubmit: {
        route: `PUT ${path}/outbox/{fax_id}`,
        ...stored,
        body: { kind: 'action', action: 'resubmit' },
        reply: { kind: 'record', isNew: true },
        summary: 'Send a fax again, as a new job',
      },
      inbox: listOperation(`${path}/inbox`, 'List received faxes', {
        section: 'Conventions, time-ranged lists',
        query: timeRangeFilters,
      }),
      outbox: listOperation(`${path}/outbox`, 'List sent and failed faxes', {
        section: 'Conventions, time-ranged lists',
        query: timeRangeFilters,
      }),
    },
  ],
});

const shown = { readOnly: true } as const;

export const fax_mails = resource({
  name: 'fax_mails',
  singular: 'fax_mail',
  summary: 'E-mails to fax boxes, with the errors of those that failed',
  order: 121,
  section: 'Conventions, faxes',
  doc: 'An e-mail to a fax box',
  fields: () => ({
    id: shared.id,
    from: text('Sender', shown),
    to: text('Recipient: the address of a fax box', shown),
    error: text('The first error (lists only)', shown),
    errors: texts('All errors', shown),
    faxbox_id: text('Fax box of the address', { ...shown, ref: 'faxboxes' }),
    created: integer('Time of arrival, in Gregorian seconds', { ...shown, shownAs: 'moment' }),
  }),
  columns: [
    { header: 'RECEIVED', paths: ['created'], show: 'time' },
    'from',
    'to',
    { header: 'ERROR', paths: ['error'], sparse: true },
    'id',
  ],
  commandWords: ['faxes', 'mails'],
  absent: {
    manifests: 'A received e-mail is not a setting',
    find: 'E-mails are numerous and have their own list',
    orphans: 'E-mails outlive the records that they refer to',
    page: 'The command line lists e-mails',
    trial: 'mails cannot be made',
  },
  listOrder: 'created',
  listFields: ['from', 'to', 'error', 'created'],
  operations: [
    collection({
      path: `${path}/smtplog`,
      section: 'Conventions, faxes',
      without: ['create', 'update', 'patch', 'delete'],
      except: {
        list: { query: timeRangeFilters, summary: 'List e-mails to fax boxes in a time range' },
        get: { summary: 'Show one e-mail to a fax box, with all its errors' },
      },
    }),
  ],
});
