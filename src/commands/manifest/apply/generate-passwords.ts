import { Failure } from '../../../base/failure.ts';
import { counted } from '../../../base/wording.ts';
import type { Context } from '../../../command/context.ts';
import type { Plan, Step } from '../../../manifest/plan.ts';
import {
  earlierPasswords,
  type PasswordRows,
  type PasswordsFile,
  passwordKey,
  writePasswords,
} from '../../passwords-file.ts';
import { randomPassword } from '../../secrets.ts';

const to = (file: string): PasswordsFile => ({
  file,
  option: '--generate-passwords',
  head: ['account', 'username', 'password'],
});

/** Tells whether a step makes a user without a password, whom compatible services refuse. */
const lacksPassword = ({ kind, by, send }: Step): boolean =>
  kind === 'users' && by === 'create' && send !== undefined && typeof send.password !== 'string';

const cellsOf = ({ account }: Plan, { send, name }: Step): readonly string[] => [
  account.name,
  typeof send?.username === 'string' ? send.username : name,
];

/** Gives passwords to the users that a plan creates without one. */
export interface PasswordGiver {
  /** Writes the passwords of all these plans to the file. Throws `Failure` where that fails: nothing was sent then. */
  prepare(plans: readonly Plan[]): void;
  /** The same plan with the passwords in what is sent. */
  amend(plan: Plan): Plan;
}

/**
 * Makes what gives passwords. A run that is resumed uses what its file has. Throws `Failure` of kind `refused` where there
 * is another file of that name.
 */
export function passwordGiver(context: Context, file: string, resumed: boolean): PasswordGiver {
  const rows = new Map<string, readonly string[]>(earlierPasswords(context, to(file), resumed));
  return {
    prepare(plans) {
      const before = rows.size;
      for (const plan of plans)
        for (const step of plan.steps.filter(lacksPassword)) {
          const cells = cellsOf(plan, step);
          const key = passwordKey(cells);
          if (!rows.has(key)) rows.set(key, [...cells, randomPassword(context.host.random)]);
        }
      if (rows.size === 0)
        return context.notices.say(`No new user lacks a password; ${file} was not written.`);
      if (rows.size > before) writePasswords(context, to(file), rows);
      context.notices.say(`The passwords of ${counted(rows.size, 'user')} are in ${file}.`);
    },
    amend: (plan) => amended(plan, rows),
  };
}

function amended(plan: Plan, rows: PasswordRows): Plan {
  return {
    ...plan,
    steps: plan.steps.map((step) => {
      if (!lacksPassword(step)) return step;
      const password = rows.get(passwordKey(cellsOf(plan, step)))?.at(-1);
      if (password === undefined)
        throw new Failure(
          'conflict',
          `${step.label} was not in the plan, and has no password. Nothing more was sent.`,
        );
      return { ...step, send: { ...step.send, password } };
    }),
  };
}

/** Plans whose new users have a password, for checks that look at what is sent. */
export const asIfGiven = (plan: Plan): Plan => ({
  ...plan,
  steps: plan.steps.map((step) =>
    lacksPassword(step) ? { ...step, send: { ...step.send, password: 'generated' } } : step,
  ),
});
