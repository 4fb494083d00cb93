import { resources } from '../../../contract/catalogue.ts';
import { moduleData, moduleNames } from '../../../contract/module-data.ts';
import { jsonSchema } from '../../../contract/published-schema.ts';
import { unknownId } from '../refusal.ts';
import { pathParameter, type RequestHandler, type RequestHandlers } from '../requests/service-request.ts';

const modulePrefix = 'callflows.';

const schemaNames = (): readonly string[] =>
  [
    ...resources.map(({ name }) => name),
    ...moduleNames('callflow').map((module) => `${modulePrefix}${module}`),
  ].toSorted();

const schema: RequestHandler = async (call) => {
  const name = pathParameter(call, 'schema_name');
  const resource = resources.find((each) => each.name === name);
  const module = name.startsWith(modulePrefix)
    ? moduleData('callflow', name.slice(modulePrefix.length))
    : undefined;
  if (!resource && !module) throw unknownId(name);
  const found = resource ? jsonSchema(resource, 'conventions') : structuredClone(module ?? {});
  return { data: { ...JSON.parse(JSON.stringify(found)), id: name } };
};

export const aboutHandlers: RequestHandlers = {
  'about.get': async () => ({
    data: { version: '5.0.0', erlang_version: '25', processes: 500, ports: 10, used_memory: 80_000_000 },
  }),
  'about.schemas': async () => ({ data: [...schemaNames()] }),
  'about.schema': schema,
  'about.config': async (call) => ({ data: { id: `configs_${pathParameter(call, 'config_name')}` } }),
};
