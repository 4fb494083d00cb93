import { type Command, defineCommand } from '../../command/command.ts';
import { manifestOptions } from '../manifest-options.ts';

/** Options of `telctl validate`. */
export const validateOptions = {
  ...manifestOptions,
  allowUnset: {
    flag: 'allow-unset',
    doc: 'Take variables of the environment that are not set, as where secrets are not at hand',
  },
} as const;

/** `telctl validate`. */
export const validateCommands: readonly Command[] = [
  defineCommand({
    path: ['validate'],
    summary: 'Check a manifest without the service',
    description:
      'Finds everything that can be known without asking the service: unknown and mistyped fields, references to nothing or in a circle, variables that are not set, two objects of one name. All problems are named at once, each with file, line and column; what callflows lint finds, and what compatible services would refuse, are warnings. telctl help manifests says what a manifest is.',
    arguments: {},
    options: validateOptions,
    effect: 'local',
    examples: [
      { line: 'telctl validate -f office.yaml', doc: 'One file' },
      { line: 'telctl validate -f base/ -f prod.yaml --var site=zurich', doc: 'A folder, and what differs' },
      { line: 'telctl validate -f office.yaml --allow-unset', doc: 'Where the secrets are not at hand' },
    ],
    load: async () => (await import('./validate.ts')).validate,
  }),
];
