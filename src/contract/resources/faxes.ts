import { flag, freeObject, integer, list, object, text, texts } from '../fields.ts';
import { collection, listing, resource, timeRange } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/faxes';
const tries = { minimum: 0, maximum: 4 } as const;
/** Whom a fax tells by e-mail or by text message; `rule` holds for each of them. */
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
/** A fax that was sent or received. */
const stored = { section: 'Conventions, faxes' } as const;
const made = { source: 'convention', readOnly: true } as const;

export const faxes = resource({
  name: 'faxes',
  singular: 'fax',
  summary: 'Faxes to send, and what became of them',
  order: 120,
  shownWithoutId: true,
  section: 'Resources and their fields, Fax',
  listedIn: 'Endpoints, Account resources',
  doc: 'A fax',
  fields: () => ({
    id: shared.id,
    from_number: text('Number that sends', { option: true, dialled: true }),
    from_name: text('Name of the sender', { option: true }),
    to_number: text('Number that receives', {
      outward: true,
      dialled: true,
      option: true,
      convention: { pattern: shared.routablePattern },
    }),
    to_name: text('Name of the receiver', { option: true }),
    attempts: integer('Tries so far', { convention: { ...tries, default: 0 } }),
    document: object(
      {
        content: text('Body of the request for the document', { convention: { maxLength: 256 } }),
        content_type: text('Content type of that body'),
        host: text('Host header of that request'),
        method: text('Method of that request', { convention: { enum: ['get', 'post'], default: 'get' } }),
        referer: text('Referer header of that request'),
        url: text('Where the document is', { secretBearing: true, convention: { pattern: '^https?://' } }),
      },
      'The document to send',
      { convention: { required: ['url'] } },
    ),
    notifications: object(
      {
        email: sendTo('By e-mail', 'An address', { format: 'email' }),
        sms: sendTo('By text message', 'A number'),
      },
      'Who is told of the result',
    ),
    retries: integer('Most tries', { option: true, default: 1, convention: tries }),
    tx_result: object(
      {
        error_message: text('What failed', { convention: { default: '' } }),
        fax_bad_rows: integer('Rows that arrived damaged', { convention: { default: 0 } }),
        fax_error_correction: flag('Error correction was used', { convention: { default: false } }),
        fax_receiver_id: text('How the receiver called itself', { convention: { default: '' } }),
        fax_speed: integer('Bits a second', { convention: { default: 0 } }),
        pages_sent: integer('Pages sent', { convention: { default: 0 } }),
        success: flag('The fax arrived', { convention: { default: false } }),
        time_elapsed: integer('Seconds it took', { shownAs: 'seconds', convention: { default: 0 } }),
      },
      'Result of the last try',
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
    folder: text('Where it is kept: outbox or inbox', made),
    rx_result: freeObject('How the fax was received', made),
    created: integer('When it was made, in Gregorian seconds', { ...made, shownAs: 'moment' }),
    to: text('Number that receives', made),
    from: text('Number that sends', made),
  }),
  required: [{ fields: ['from_number', 'to_number'], on: ['create'], source: 'specification' }],
  lines: [
    {
      flag: 'document',
      value: 'URL',
      fields: ['document'],
      doc: 'Address from which the service fetches what it sends: PDF or TIFF',
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
  absent: { manifests: 'A fax is a deed, no setting', trial: 'a fax would be sent' },
  listOrder: 'created',
  listFields: ['faxbox_id', 'status', 'to', 'from', 'attempts', 'created'],
  operations: [
    collection({
      documented: ['create'],
      without: ['update', 'patch', 'delete'],
      except: {
        list: { route: `GET ${path}/outgoing`, summary: 'List faxes that wait or are being sent' },
        get: { route: `GET ${path}/outgoing/{fax_id}`, summary: 'Show one fax that waits or is being sent' },
        create: { summary: 'Send a fax' },
      },
    }),
    {
      received: { route: `GET ${path}/inbox/{fax_id}`, ...stored, summary: 'Show one fax that was received' },
      sent: {
        route: `GET ${path}/outbox/{fax_id}`,
        ...stored,
        summary: 'Show one fax that was sent or failed',
      },
      'delete-received': {
        route: `DELETE ${path}/inbox/{fax_id}`,
        ...stored,
        summary: 'Delete a fax that was received',
      },
      'delete-sent': {
        route: `DELETE ${path}/outbox/{fax_id}`,
        ...stored,
        summary: 'Delete a fax that was sent or failed',
      },
      resubmit: {
        route: `PUT ${path}/outbox/{fax_id}`,
        ...stored,
        body: { kind: 'action', action: 'resubmit' },
        reply: { kind: 'record', isNew: true },
        summary: 'Send a fax again, as a new job',
      },
      inbox: listing(`${path}/inbox`, 'List faxes that were received', {
        section: 'Conventions, time-ranged lists',
        query: timeRange,
      }),
      outbox: listing(`${path}/outbox`, 'List faxes that were sent or failed', {
        section: 'Conventions, time-ranged lists',
        query: timeRange,
      }),
    },
  ],
});

const shown = { readOnly: true } as const;

export const fax_mails = resource({
  name: 'fax_mails',
  singular: 'fax_mail',
  summary: 'Mails to fax boxes, and why they became no fax',
  order: 121,
  section: 'Conventions, faxes',
  doc: 'A mail to a fax box',
  fields: () => ({
    id: shared.id,
    from: text('Sender', shown),
    to: text('Receiver: the address of a fax box', shown),
    error: text('The first error (lists only)', shown),
    errors: texts('All errors', shown),
    faxbox_id: text('The fax box that the address belongs to', { ...shown, ref: 'faxboxes' }),
    created: integer('When it arrived, in Gregorian seconds', { ...shown, shownAs: 'moment' }),
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
    manifests: 'A mail was received, and is no setting',
    find: 'Mails are many, and searched by their own list',
    orphans: 'Mails outlive what they were about',
    page: 'Mails are listed by the command line',
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
        list: { query: timeRange, summary: 'List mails to fax boxes of a range of time' },
        get: { summary: 'Show one mail to a fax box, with all of its errors' },
      },
    }),
  ],
});
