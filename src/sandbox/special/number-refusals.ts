import { Refusal } from '../requests/refusal.ts';

/** An error of a phone number, with the word and the cause that compatible services give. */
export function numberRefusal(status: number, error: string, message: string, cause: string): Refusal {
  return new Refusal(status, error, message, { code: status, error, cause, message });
}

/** No such number, or not one of the account. */
export const unknownNumber = (id: string): Refusal =>
  numberRefusal(404, 'not_found', `The account has no number ${id}.`, id);

/** A move between states that there is not (Conventions, states of phone numbers). */
export const noSuchMove = (from: string, to: string): Refusal =>
  numberRefusal(
    400,
    'invalid_state_transition',
    `A number cannot go from ${from} to ${to}.`,
    `from ${from} to ${to}`,
  );
