import { freeObject, integer, openObject, text, texts } from '../fields.ts';
import { resource, showOperation, value } from '../resource.ts';

const schemaNames = value(texts('Names of schemas'));
const schema = value(freeObject('A JSON Schema'));

export const about = resource({
  name: 'about',
  singular: 'fact',
  summary: 'Release, load and schemas of the service',
  kind: 'singleton',
  order: 192,
  section: 'Conventions, facts of the service',
  doc: 'Information about the service',
  fields: () => ({
    version: text('Release of the service'),
    erlang_version: text('Release of its runtime'),
    processes: integer('Number of processes'),
    ports: integer('Number of open ports'),
    used_memory: integer('Memory in use, in bytes'),
  }),
  columns: ['version'],
  absent: {
    manifests: 'Information about the service is not a setting',
    page: 'The information is about the service, not about an account',
  },
  operations: [
    {
      get: {
        route: 'GET /accounts/{account_id}/about',
        summary: 'Show the release and load of the service',
      },
      schemas: {
        route: 'GET /schemas',
        reply: schemaNames,
        tokenOptional: true,
        summary: 'List the schemas of the service',
      },
      schema: {
        route: 'GET /schemas/{schema_name}',
        reply: schema,
        tokenOptional: true,
        summary: 'Show the schema of a record type, or of the data of a module',
      },
      config: showOperation(
        '/accounts/{account_id}/configs/{config_name}',
        'Show the settings of an application for an account',
        openObject({ id: text('configs_ and the name') }, 'Settings'),
      ),
    },
  ],
});
