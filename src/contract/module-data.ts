import { callflowModuleData } from './modules/callflow-data.ts';
import { metaflowModuleData } from './modules/metaflow-data.ts';
import { flag } from './modules/shapes.ts';
import type { SchemaNode } from './schema-node.ts';

/** Kind of modules that a step is made of: a callflow's, or those of what callers dial during a call. */
export type ModuleKind = 'callflow' | 'metaflow';

/** Every step can be passed over, whatever its module is. */
const everyStep = { skip_module: flag() };

const schemasOf = (data: Readonly<Record<string, SchemaNode>>): ReadonlyMap<string, SchemaNode> =>
  new Map(
    Object.entries(data).map(([name, node]) => [
      name,
      { ...node, properties: { ...node.properties, ...everyStep } },
    ]),
  );

const schemas: Readonly<Record<ModuleKind, ReadonlyMap<string, SchemaNode>>> = {
  callflow: schemasOf(callflowModuleData),
  metaflow: schemasOf(metaflowModuleData),
};

/** The schema of a module's `data`; `undefined` where compatible services know no such module. */
export const moduleData = (kind: ModuleKind, module: string): SchemaNode | undefined =>
  schemas[kind].get(module);

/** Every module of a kind of flow. Names with a dot are parts of a module and stand in no flow on their own. */
export const moduleNames = (kind: ModuleKind): readonly string[] =>
  [...schemas[kind].keys()].filter((name) => !name.includes('.'));
