import { compare, decimal, format, minus, plus } from '../../../base/decimal.ts';
import { Failure } from '../../../base/failure.ts';
import type { AskedCharges, Consent } from '../../command/context.ts';
import type { Allowed } from './allowed.ts';

/** Asks the person at the client a yes or no. */
export type AskPerson = (question: string) => Promise<boolean>;

/** How far a call came: to its end, or to a question for the person, after whose answer it goes on. */
export type Step<T> =
  | { readonly kind: 'answer'; readonly answer: T }
  | { readonly kind: 'question'; readonly id: string; readonly question: string };

/**
 * Calls that wait for a person. The protocol has no question in the midst of a call: the call ends with the question, and
 * the next one, which carries the answer, goes on where it stopped.
 */
export function waitingCalls<T>(newId: () => string) {
  const waiting = new Map<string, (isAgreed: boolean) => Promise<Step<T>>>();
  return {
    /** Begins work that may ask, and follows it to its first question or its end. */
    begin(work: (ask: AskPerson) => Promise<T>): Promise<Step<T>> {
      let next = Promise.withResolvers<Step<T>>();
      let turn: Promise<unknown> = Promise.resolve();
      const askNow = (question: string): Promise<boolean> =>
        new Promise((resolve) => {
          const id = newId();
          waiting.set(id, (isAgreed) => {
            waiting.delete(id);
            next = Promise.withResolvers();
            resolve(isAgreed);
            return next.promise;
          });
          next.resolve({ kind: 'question', id, question });
        });
      const ask: AskPerson = (question) => {
        const asked = turn.then(() => askNow(question));
        turn = asked;
        return asked;
      };
      work(ask).then(
        (answer) => next.resolve({ kind: 'answer', answer }),
        (error: unknown) => next.reject(error),
      );
      return next.promise;
    },
    /** Goes on with a call after the person's answer; `undefined` where no call waits under that id. */
    goOn: (id: string, isAgreed: boolean): Promise<Step<T>> | undefined => waiting.get(id)?.(isAgreed),
    /** Answers every question that is open with no. */
    end(): void {
      for (const answer of waiting.values()) answer(false).catch(() => undefined);
    },
  };
}

/**
 * Makes the consent to charges of a server: the person is asked each time, and only for what is understood
 * and, with all that was accepted before, is no more than the line that serves allows. Without a person who
 * can be asked, or an amount, nobody accepts any.
 */
export function chargesWord({ chargesUpTo }: Allowed): (ask: AskPerson | undefined) => Consent | undefined {
  let left = chargesUpTo;
  return (ask) => {
    if (ask === undefined || left === undefined) return undefined;
    const decide = async ({ account, text, estimate = '' }: AskedCharges): Promise<boolean> => {
      const sum = decimal(estimate);
      if (left === undefined || sum === undefined || compare(sum, left) > 0)
        throw new Failure(
          'charges',
          `The charges are ${text}, and this server may still have ${left ? format(left) : '0.00'} accepted. Nothing changed.`,
          {
            hint: 'A person can accept more on the command line, or start it with a higher --allow-charges-up-to.',
          },
        );
      left = minus(left, sum);
      const isAgreed = await ask(`Accept ${text} in ${account}? telctl mcp asks each time.`);
      if (!isAgreed) left = plus(left, sum);
      return isAgreed;
    };
    return { kind: 'decide', decide };
  };
}
