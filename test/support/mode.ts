import type { Command } from '../../src/cli/command/command.ts';
import { operationById, operations } from '../../src/contract/catalogue.ts';
import type { Operation } from '../../src/contract/types.ts';
import { type Behaviour, behaviourOf, offersOperation } from '../../src/extensions/sandbox/behaviour.ts';
import type { SandboxMode } from '../../src/extensions/sandbox/differences.ts';

const likenesses = ['specification', 'kazoo'] as const satisfies readonly SandboxMode[];

/**
 * The service that sandboxes of this run imitate unless a test names one, set by the projects of `vitest.config.ts`.
 * `undefined` is the default sandbox.
 */
export const mode = likenesses.find((each) => each === process.env.SERVICE_LIKE);

/** Commands without an operation that do not work in a mode, with the reason. */
export const notDoable: Readonly<Record<SandboxMode, Readonly<Record<string, string>>>> = {
  kazoo: {
    'accounts api-key rotate':
      'Only a user who is an administrator may, and the tables sign in by the API key.',
    'notifications preview': 'Services in the field that were looked at have no mailer.',
    'notifications tell-customers': 'Services in the field that were looked at have no mailer.',
    'notifications system text': 'Without a mailer there is no text but what was sent before.',
    'notifications text': 'Without a mailer there is no text but what was sent before.',
  },
  specification: {
    apply: 'It finds what there is by lists, which the specification does not document.',
    export: 'It reads lists, which the specification does not document.',
    undo: 'It reverses an apply, and no apply can be done.',
    'apply history': 'It lists applies, and no apply can be done.',
    reconcile: 'It plans as an apply does, and no apply can be done.',
    'rollout start': 'It applies a manifest to accounts, and no apply can be done.',
    'rollout resume': 'It goes on with a rollout, and none can be begun.',
    'rollout show': 'It shows a rollout, and none can be done.',
    'rollout cancel': 'It ends a rollout, and none can be done.',
    'rollout undo': 'It reverses a rollout, and none can be begun.',
    'log show': 'It shows an apply, and no apply can be done.',
    'state show': 'It shows what an apply manages, and no apply can be done.',
    'state forget': 'It forgets what an apply manages, and no apply can be done.',
  },
};

const replacements = new Map([['accounts.rotate-api-key', 'accounts.put-api-key']]);

/** Returns true for a command whose operations the service offers. */
export function isOffered({ operations: ids = [] }: Command, behaviour: Behaviour): boolean {
  const served = (id: string | undefined): boolean =>
    operations.some((each) => each.id === id && offersOperation(behaviour, each));
  const needed = ids.filter((id, index) => index === 0 || operationById(id).effect !== 'read');
  return needed.every((id) => served(id) || served(replacements.get(id)));
}

/** Returns true for a command that works in the mode of this run. */
export const isDoable = (command: Command): boolean =>
  isOffered(command, behaviourOf(mode)) &&
  (mode === undefined || !Object.hasOwn(notDoable[mode], command.path.join(' ')));

/** Returns true for an operation that the service of this run offers. */
export const isServedHere = (operation: Operation): boolean => offersOperation(behaviourOf(mode), operation);
