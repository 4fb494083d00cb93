import { freeObject, integer, mapOf, object, openObject, text } from './fields.ts';
import type { OperationRows } from './operations.ts';
import type { Schema } from './schema-node.ts';

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

export function portOperations(
  path: '/accounts/{account_id}/port_requests',
  comments: Schema,
): OperationRows {
  const one = `${path}/{port_request_id}` as const;
  const documents = `${one}/attachments` as const;
  const document = `${documents}/{attachment_id}` as const;
  const convention = { section: 'Conventions, port requests, documents' } as const;
  const file = { kind: 'file', types: documentTypes, largest: largestDocument } as const;
  const nothing = { kind: 'empty' } as const;
  return {
    comments: {
      route: `GET ${one}/comments`,
      ...convention,
      reply: { kind: 'value', schema: object({ comments }, 'Those that the caller may read') },
      summary: 'List the comments of a port request',
    },
    documents: {
      route: `GET ${documents}`,
      ...convention,
      reply: {
        kind: 'value',
        schema: mapOf(
          openObject({ content_type: text('Content type'), length: integer('Size in bytes') }, 'A document'),
          'Documents by name',
        ),
      },
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
    below: {
      route: 'GET /accounts/{account_id}/descendants/port_requests',
      ...convention,
      query: [
        { name: 'by_types', doc: 'As for the list of an account' },
        { name: 'by_number', doc: 'Only the requests for this number' },
      ],
      listed: { as: 'groups', key: 'port_requests' },
      reply: { kind: 'list' },
      summary: 'List the port requests of all accounts below, by account',
    },
  };
}
