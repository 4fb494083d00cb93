import { freeObject, integer, mapOf, object, openObject, text } from './fields.ts';
import { type OperationDefaults, operation } from './operations.ts';
import type { Schema } from './schema-node.ts';
import type { Operation } from './types.ts';

/** Content types of documents of port requests (Conventions, port requests, documents). */
export const documentTypes: readonly string[] = [
  ...['application/pdf', 'image/png', 'image/jpeg', 'image/gif', 'image/tiff'],
  ...['application/octet-stream', 'application/x-base64'],
];

/** The largest document that is sent, in bytes. */
export const largestDocument = 5_242_880;

const section = 'Conventions, port requests, documents';

/** Documents and comments of port requests, and lists over accounts. */
export function portOperations(
  common: OperationDefaults,
  path: string,
  comments: Schema,
): readonly Operation[] {
  const one = `${path}/{port_request_id}`;
  const documents = `${one}/attachments`;
  const document = `${documents}/{attachment_id}`;
  const convention = { source: 'convention', section } as const;
  const file = { kind: 'file', types: documentTypes, largest: largestDocument } as const;
  const nothing = { kind: 'empty' } as const;
  return [
    operation(common, {
      ...{ ...convention, verb: 'comments', method: 'GET', path: `${one}/comments` },
      reply: { kind: 'value', schema: object({ comments }, 'Those that the caller may read') },
      summary: 'List the comments of a port request',
    }),
    operation(common, {
      ...{ ...convention, verb: 'documents', method: 'GET', path: documents },
      reply: {
        kind: 'value',
        schema: mapOf(
          openObject({ content_type: text('Content type'), length: integer('Size in bytes') }, 'A document'),
          'Documents by name',
        ),
      },
      summary: 'List the documents of a port request',
    }),
    operation(common, {
      ...{ ...convention, verb: 'add-document', method: 'PUT', path: documents, body: file, reply: nothing },
      query: [{ name: 'filename', doc: 'Name of the document; made by the service where left out' }],
      summary: 'Add a document to a port request',
    }),
    operation(common, {
      ...{ ...convention, verb: 'document', method: 'GET', path: document },
      reply: { kind: 'file', types: documentTypes },
      summary: 'Fetch a document of a port request',
    }),
    operation(common, {
      ...{
        ...convention,
        verb: 'replace-document',
        method: 'POST',
        path: document,
        body: file,
        reply: nothing,
      },
      summary: 'Replace a document of a port request',
    }),
    operation(common, {
      ...{ ...convention, verb: 'delete-document', method: 'DELETE', path: document, reply: nothing },
      summary: 'Delete a document of a port request',
    }),
    operation(common, {
      ...{ ...convention, verb: 'last-submitted', method: 'GET', path: `${path}/last_submitted` },
      reply: {
        kind: 'list',
        items: openObject(
          { id: text('The request', { ref: 'ports' }), transition: freeObject('Who submitted it, and when') },
          'A submission',
        ),
      },
      summary: 'List port requests that wait for the authority, each with its submission',
    }),
    operation(common, {
      ...{
        ...convention,
        verb: 'below',
        method: 'GET',
        path: '/accounts/{account_id}/descendants/port_requests',
      },
      query: [
        { name: 'by_types', doc: 'As for the list of an account' },
        { name: 'by_number', doc: 'Only the requests for this number' },
      ],
      listed: { as: 'groups', key: 'port_requests' },
      reply: { kind: 'list' },
      summary: 'List the port requests of all accounts below, by account',
    }),
  ];
}
