import type { Command } from '../../command/command.ts';
import type { Resource } from '../../contract/types.ts';
import { alternatives } from './commands.ts';

/** Meanings of turning something on and off, one sentence each; a verb without one is described elsewhere. */
export interface SwitchSummaries {
  readonly enable?: string;
  readonly disable?: string;
}

/** `enable ID` and `disable ID` of a resource that has the field `enabled`. */
export function switchCommands(
  resource: Resource,
  sample: string,
  summaries: SwitchSummaries,
): readonly Command[] {
  return (['enable', 'disable'] as const).flatMap((verb): readonly Command[] => {
    const summary = summaries[verb];
    return summary === undefined ? [] : [switchCommand(resource, sample, verb, summary)];
  });
}

const switchCommand = (
  resource: Resource,
  sample: string,
  verb: 'enable' | 'disable',
  summary: string,
): Command => ({
  path: [resource.name, verb],
  summary,
  arguments: {
    id: { name: 'ID', doc: alternatives(resource.naturalKeys), completes: { resource: resource.name } },
  },
  options: {},
  effect: 'write',
  examples: [{ line: `telctl ${resource.name} ${verb} ${sample}`, doc: summary }],
  operations: [`${resource.name}.patch`],
  load: async () => (await import('./switch.ts')).switchHandler(resource, verb === 'enable'),
});
