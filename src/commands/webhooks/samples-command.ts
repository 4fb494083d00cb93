import { defineCommand } from '../../command/command.ts';
import { hooks } from '../../contract/hooks.ts';

/** Arguments of `webhooks samples`. */
export const samplesArguments = {
  name: {
    name: 'NAME',
    doc: 'A hook, or a sample by the name that the service gives it; all names where left out',
    optional: true,
    suggestions: hooks.map(({ id }) => id),
  },
} as const;

/** `telctl webhooks samples`. */
export const samplesCommand = defineCommand({
  path: ['webhooks', 'samples'],
  summary: 'Show what the events of a hook look like',
  description:
    'Compatible services keep payloads as they would send them, one or more for each hook. Nothing is sent to a receiver: telctl webhooks trigger does that.',
  arguments: samplesArguments,
  options: {},
  effect: 'read',
  examples: [
    { line: 'telctl webhooks samples', doc: 'Of which hooks the service has samples' },
    { line: 'telctl webhooks samples channel_destroy', doc: 'What a receiver is going to get' },
  ],
  operations: ['webhooks.samples', 'webhooks.sample'],
  load: async () => (await import('./samples.ts')).showSamples,
});
