import { freeObject, integer, openObject, text, texts } from '../fields.ts';
import { resource, showing, value } from '../resource.ts';

const schemaNames = value(texts('Names of schemas'));
const schema = value(freeObject('A JSON Schema'));

export const about = resource({
  name: 'about',
  singular: 'fact',
  summary: 'What the service says of itself: its release, its schemas',
  kind: 'singleton',
  order: 192,
  section: 'Conventions, facts of the service',
  doc: 'Facts of the service',
  fields: () => ({
    version: text('Release of the service'),
    erlang_version: text('Release of its runtime'),
    processes: integer('How many processes it runs'),
    ports: integer('How many ports they have open'),
    used_memory: integer('Memory in use, in bytes'),
  }),
  columns: ['version'],
  absent: {
    manifests: 'Facts of the service are no settings',
    page: 'Facts are of the service, not of an account',
  },
  operations: [
    {
      get: {
        route: 'GET /accounts/{account_id}/about',
        summary: 'Show the release of the service and how busy it is',
      },
      schemas: {
        route: 'GET /schemas',
        reply: schemaNames,
        tokenOptional: true,
        summary: 'List the schemas that the service has',
      },
      schema: {
        route: 'GET /schemas/{schema_name}',
        reply: schema,
        tokenOptional: true,
        summary: 'Show the schema of a kind of record, or of the data of a module',
      },
      config: showing(
        '/accounts/{account_id}/configs/{config_name}',
        'Show the settings of an application for an account',
        openObject({ id: text('configs_ and the name') }, 'Settings'),
      ),
    },
  ],
});
