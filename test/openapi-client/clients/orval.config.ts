interface Document {
  readonly paths: Record<string, Record<string, { requestBody?: { content: Record<string, unknown> } }>>;
}

/**
 * Returns the document without bodies other than JSON, because this generator supports one content type per
 * operation.
 */
function jsonAlone(document: Document): Document {
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const content = operation.requestBody?.content;
    const json = content?.['application/json'];
    if (operation.requestBody && json) operation.requestBody.content = { 'application/json': json };
  }
  return document;
}

export default {
  service: {
    input: { target: '../../../schemas/openapi.json', override: { transformer: jsonAlone } },
    output: {
      target: '../generated/clients/orval/service.ts',
      schemas: '../generated/clients/orval/model',
      client: 'fetch',
      mode: 'single',
      override: { mutator: { path: './orval-fetch.ts', name: 'send' } },
    },
  },
};
