import { flag, freeObject, integer, list, mapOf, object, openObject, text } from '../fields.ts';
import {
  collection,
  listing,
  type OperationRow,
  type OperationRows,
  resource,
  showing,
  value,
} from '../resource.ts';
import * as shared from '../structures.ts';

const ours = { source: 'convention' } as const;
const path = '/accounts/{account_id}/port_requests';
const one = `${path}/{port_request_id}` as const;
const made = { ...ours, readOnly: true } as const;

const moved = (state: string, summary: string): OperationRow => ({
  route: `PATCH ${one}/${state}`,
  section: 'Conventions, states of port requests',
  repeat: 'never',
  query: [{ name: 'reason', doc: 'Why, for the timeline' }],
  body: value(object({ reason: text('Why, for the timeline', ours) }, 'Why')),
  summary,
});

const listQuery = [
  {
    name: 'by_types',
    doc: 'active (the default), all, progressing, suspended, completed, or states with commas between',
  },
  { name: 'by_number', doc: 'Only the requests for this number' },
] as const;

const bill = object(
  {
    account_number: text('Account with the losing carrier', { secret: true }),
    btn: text('Number on the bill'),
    carrier: text('Losing carrier'),
    locality: text('Town'),
    name: text('Name on the bill'),
    pin: text('PIN with the losing carrier', { secret: true }),
    postal_code: text('Postal code'),
    region: text('Region'),
    street_address: text('Street'),
    street_number: text('House number'),
    street_post_dir: text('Direction after the street'),
    street_pre_dir: text('Direction before the street'),
    street_type: text('Kind of street'),
  },
  'As on the bill of the losing carrier',
);

/** Comments; `required` are the fields that each of them must have. */
const commentsWith = (required: readonly string[]) =>
  list(
    object(
      {
        account_id: text('Account of the author', { ref: 'accounts' }),
        action_required: flag('Somebody has to act', { convention: { default: false } }),
        author: text('Author'),
        content: text('What it says'),
        is_private: flag('For the port authority only', { convention: { default: false } }),
        timestamp: integer('When it was written, in Gregorian seconds', { shownAs: 'moment' }),
        user_id: text('User who wrote it', { ref: 'users' }),
      },
      'A comment',
      { convention: { required } },
    ),
    'Comments',
  );

/** Schema of what the service notes of a change of state, or of a comment. */
const timeline = list(
  freeObject('What happened'),
  'What happened to it, oldest first: moves between states, comments',
  made,
);

export const documentTypes: readonly string[] = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/tiff',
  'application/octet-stream',
  'application/x-base64',
];

/** The largest document that is sent, in bytes. */
export const largestDocument = 5_242_880;

const documents = `${one}/attachments` as const;
const document = `${documents}/{attachment_id}` as const;
const convention = { section: 'Conventions, port requests, documents' } as const;
const file = { kind: 'file', types: documentTypes, largest: largestDocument } as const;
const nothing = { kind: 'empty' } as const;
const conventional: OperationRows = {
  comments: showing(
    `${one}/comments`,
    'List the comments of a port request',
    object({ comments: commentsWith([]) }, 'Those that the caller may read'),
    convention,
  ),
  documents: {
    route: `GET ${documents}`,
    ...convention,
    reply: value(
      mapOf(
        openObject({ content_type: text('Content type'), length: integer('Size in bytes') }, 'A document'),
        'Documents by name',
      ),
    ),
    summary: 'List the documents of a port request',
  },
  'add-document': {
    route: `PUT ${documents}`,
    ...convention,
    body: file,
    reply: nothing,
    query: [{ name: 'filename', doc: 'Name of the document; made by the service where left out' }],
    summary: 'Add a document to a port request',
  },
  document: {
    route: `GET ${document}`,
    ...convention,
    reply: { kind: 'file', types: documentTypes },
    summary: 'Fetch a document of a port request',
  },
  'replace-document': {
    route: `POST ${document}`,
    ...convention,
    body: file,
    reply: nothing,
    summary: 'Replace a document of a port request',
  },
  'delete-document': {
    route: `DELETE ${document}`,
    ...convention,
    reply: nothing,
    summary: 'Delete a document of a port request',
  },
  'last-submitted': {
    route: `GET ${path}/last_submitted`,
    ...convention,
    reply: {
      kind: 'list',
      items: openObject(
        { id: text('The request', { ref: 'ports' }), transition: freeObject('Who submitted it, and when') },
        'A submission',
      ),
    },
    summary: 'List port requests that wait for the authority, each with its submission',
  },
  below: listing(
    '/accounts/{account_id}/descendants/port_requests',
    'List the port requests of all accounts below, by account',
    {
      ...convention,
      query: [
        { name: 'by_types', doc: 'As for the list of an account' },
        { name: 'by_number', doc: 'Only the requests for this number' },
      ],
      listed: { as: 'groups', key: 'port_requests' },
    },
  ),
};

export const ports = resource({
  name: 'ports',
  singular: 'port',
  summary: 'Requests to port numbers',
  order: 140,
  idParameter: 'port_request_id',
  naturalKeys: ['name'],
  section: 'Resources and their fields, Port request',
  listedIn: 'Endpoints, Account resources',
  doc: 'A port request',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    bill,
    comments: commentsWith(['author', 'content', 'timestamp']),
    notifications: object(
      {
        email: object(
          { send_to: text('Whom to tell', { convention: { alsoType: ['array'], format: 'email' } }) },
          'By e-mail',
        ),
      },
      'Who is told of progress',
    ),
    numbers: mapOf(freeObject('Details of the number'), 'Numbers to port', {
      dialled: true,
      convention: { minProperties: 1, keyPattern: '^\\+?[0-9]+$' },
    }),
    reference_number: text('Reference of the carrier', { option: true }),
    signee_name: text('Who signed', { option: true }),
    signing_date: integer('When it was signed, in Gregorian seconds', { shownAs: 'moment', option: true }),
    transfer_date: integer('When to port, in Gregorian seconds', { shownAs: 'moment', option: true }),
    winning_carrier: text('Carrier that gets the numbers', { option: true }),
    scheduled_date: integer('When it will be ported, in Gregorian seconds', {
      shownAs: 'moment',
      source: 'convention',
    }),
    schedule_on: object(
      {
        timezone: text('Time zone, such as America/New_York', { names: 'time-zone' }),
        date_time: text('Day and time there, such as 2030-01-31 09:00', {
          convention: { pattern: '^2\\d{3}-\\d{2}-\\d{2} \\d{2}:\\d{2}$' },
        }),
      },
      'When to port, in local time; makes scheduled_date',
      { ...ours, convention: { required: ['timezone', 'date_time'] } },
    ),
    port_state: text('State of the request', {
      ...made,
      convention: {
        enum: ['unconfirmed', 'submitted', 'pending', 'scheduled', 'completed', 'rejected', 'canceled'],
      },
    }),
    timeline,
    created: integer('When it was made, in Gregorian seconds', { ...made, shownAs: 'moment' }),
    updated: integer('When it was changed, in Gregorian seconds', { ...made, shownAs: 'moment' }),
    account_id: text('Account of the request, which lists of compatible services name', made),
    sent: flag('The notice of submission went out', made),
    uploads: freeObject('Attachments by name', made),
  }),
  required: [{ fields: ['name', 'numbers'], on: ['create', 'update'], source: 'convention' }],
  lines: [
    {
      flag: 'numbers',
      value: 'NUMBER,NUMBER',
      fields: ['numbers'],
      doc: 'Numbers that move: +14155550100,+14155550101',
    },
  ],
  columns: [
    'name',
    { header: 'STATE', paths: ['port_state'] },
    { header: 'NUMBERS', paths: ['numbers'], show: 'count' },
    { header: 'CARRIER', paths: ['winning_carrier'] },
    'id',
  ],
  sections: [{ order: 150 }],
  absent: {
    orphans: 'Comments name their authors, who may be gone since',
    portable: 'A number is ported to one account',
    trial: 'people at carriers might be told of it',
  },
  operations: [
    collection({
      path,
      singular: 'port request',
      except: {
        list: {
          summary: 'List port requests, by account',
          query: listQuery,
          listed: { as: 'groups', key: 'port_requests', everything: { by_types: 'all' } },
        },
      },
    }),
    {
      submit: moved('submitted', 'Submit a port request'),
      pend: moved('pending', 'Take a submitted port request in hand'),
      schedule: {
        route: `PATCH ${one}/scheduled`,
        source: 'specification',
        repeat: 'never',
        body: { kind: 'partial' },
        summary: 'Schedule a port request',
      },
      complete: moved('completed', 'Complete a port request: its numbers are put into service'),
      reject: moved('rejected', 'Reject a port request'),
      cancel: moved('canceled', 'Cancel a port request'),
      timeline: {
        route: `GET ${one}/timeline`,
        source: 'specification',
        reply: { kind: 'record', orOther: true },
        summary: 'Show what happened to a port request',
      },
      comment: {
        route: `PUT ${one}/comments`,
        section: 'Conventions, comments',
        body: value(object({ comments: commentsWith(['content']) }, 'Comments to add')),
        reply: value(freeObject('The comments')),
        summary: 'Add a comment to a port request',
      },
    },
    conventional,
  ],
});
