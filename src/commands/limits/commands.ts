import { type Command, defineCommand } from '../../command/command.ts';
import { limits } from '../../contract/resources/limits.ts';
import { inputOptions } from '../generic/input-options.ts';

const get = defineCommand({
  path: ['limits', 'get'],
  summary: 'Show the call limits of an account',
  arguments: {},
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl limits get', doc: 'Trunks and hard limits' }],
  operations: ['limits.get'],
  load: async () => (await import('./limits.ts')).getLimits,
});

const set: Command = {
  path: ['limits', 'set'],
  summary: 'Change call limits; more trunks can add charges',
  description:
    'Limits that are not given stay as they are. The change is first sent without accepting charges; where it adds some, they are shown, and accepted only by an answer at the terminal or by one of the two options, which count what is added to what there is. --yes never accepts charges.',
  arguments: {},
  get options() {
    return inputOptions(limits);
  },
  effect: 'charges',
  examples: [
    { line: 'telctl limits set --inbound-trunks 4', doc: 'Shows what it costs and asks' },
    { line: 'telctl limits set -f limits.yaml --accept-charges-up-to 25', doc: 'In a script, with a budget' },
  ],
  operations: ['limits.get', 'limits.set'],
  load: async () => (await import('./limits.ts')).setLimits,
};

/** Everything under `telctl limits`. */
export const limitsCommands: readonly Command[] = [get, set];
