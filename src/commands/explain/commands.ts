import { type Command, defineCommand, type InputOf } from '../../command/command.ts';

const explainArguments = {
  path: {
    name: 'PATH',
    doc: 'A resource, a field of it or one of its operations: users, users.caller_id, users.vcard',
    optional: true,
    completes: 'contract',
  },
} as const;

export type ExplainInput = InputOf<Record<never, never>, typeof explainArguments>;

/** `telctl explain`. */
export const explainCommands: readonly Command[] = [
  defineCommand({
    path: ['explain'],
    summary: 'Show what a resource, a field or an operation is',
    description:
      'Types, allowed values, defaults, what is secret or read only, and who says so: the specification, or the convention of compatible services where it is silent. Lists and maps may be stepped over (callflows.flow.children.module). Without a path: the resources.',
    arguments: explainArguments,
    options: {},
    effect: 'local',
    examples: [
      { line: 'telctl explain users', doc: 'Fields and operations of users' },
      { line: 'telctl explain users.caller_id.external', doc: 'One field, and what is in it' },
      { line: 'telctl explain limits.set', doc: 'One operation' },
      { line: 'telctl explain callflows.flow.menu', doc: 'What a module takes in the data of a step' },
      { line: 'telctl explain callflows.flow.children -o json', doc: 'For programs' },
    ],
    load: async () => (await import('./explain.ts')).explain,
  }),
];
