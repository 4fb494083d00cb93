import { type Command, defineCommand } from '../../cli/command.ts';
import { manifestOptions, overwriteOption, planOptions } from './options.ts';

const chargesOptions = {
  acceptCharges: { flag: 'accept-charges', doc: 'Accept whatever charges the changes add' },
  acceptChargesUpTo: {
    flag: 'accept-charges-up-to',
    value: 'AMOUNT',
    doc: 'Accept charges as long as every item is understood and all of them come to this at most',
  },
} as const;

const onErrorOption = {
  onError: {
    flag: 'on-error',
    value: 'WHAT',
    choices: ['stop', 'continue'],
    doc: 'After a failure begin nothing more (stop, where left out), or do all that does not depend on it',
  },
} as const;

/** What `apply` takes. */
export const applyOptions = {
  ...manifestOptions,
  ...planOptions,
  ...overwriteOption,
  ...onErrorOption,
  ...chargesOptions,
  resume: { flag: 'resume', doc: 'Take up the last run that was interrupted or did not succeed' },
} as const;

/** The operand of `apply`. */
export const applyArguments = {
  plan: {
    name: 'PLAN',
    doc: 'Plan that telctl plan --out kept',
    optional: true,
    completes: 'file',
  },
} as const;

const apply = defineCommand({
  path: ['apply'],
  summary: 'Make an account as its manifest says',
  description:
    'Shows what would be done, asks once, and does it: what others refer to comes first, deletes come last. A kept plan is carried out without asking, or refused with exit 6 when the world has moved. Ctrl-C lets calls that are under way end; --resume goes on from there. Charges are never accepted by --yes.',
  arguments: applyArguments,
  options: applyOptions,
  effect: 'charges',
  examples: [
    { line: 'telctl apply -f office.yaml', doc: 'Shows the plan and asks' },
    {
      line: 'telctl apply -f office.yaml --yes --accept-charges-up-to 60',
      doc: 'In a script, with a budget',
    },
    { line: 'telctl apply office.plan', doc: 'What was planned, and nothing else' },
    { line: 'telctl apply --resume', doc: 'Go on after an interruption' },
  ],
  load: async () => (await import('./apply.ts')).applyManifest,
});

/** `telctl apply`. */
export const applyCommands: readonly Command[] = [apply];
