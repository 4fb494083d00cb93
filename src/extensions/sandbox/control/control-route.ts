import type { Json, JsonObject } from '../../../base/json.ts';

export interface ControlRequest {
  readonly query: URLSearchParams;
  /** Values of the path's parts, `:id`. */
  readonly params: Readonly<Record<string, string>>;
  /** Empty where none was sent. */
  readonly body: JsonObject;
}

/**
 * A route of the sandbox itself, outside of the service. What changes something (not GET) takes the control key.
 * `answer` gives what the reply carries, as JSON, or throws a `Refusal` for what people can do something about; a
 * `hint` in its data is what to do next.
 */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the root: `/sandbox/clock`. */
  readonly path: `/sandbox/${string}`;
  /** Nothing else is answered meanwhile; requests under way end first. */
  readonly alone?: true;
  readonly answer: (request: ControlRequest) => Promise<Json>;
}

/** A route in a line. */
export const on = (
  method: ControlRoute['method'],
  path: ControlRoute['path'],
  answer: ControlRoute['answer'],
  more: Pick<ControlRoute, 'alone'> = {},
): ControlRoute => ({ method, path, answer, ...more });

/** Lets many work at once, or one alone, for whom new ones wait until all others have ended. */
export class Turnstile {
  #inside = 0;
  #closed: Promise<void> | undefined;
  #emptied: (() => void) | undefined;

  /** Works beside others. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed) await this.#closed;
    this.#inside += 1;
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      if (this.#inside === 0) this.#emptied?.();
    }
  }

  /** Works while nobody else does. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed) await this.#closed;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = promise;
    try {
      if (this.#inside > 0) {
        await new Promise<void>((emptied) => {
          this.#emptied = emptied;
        });
      }
      return await work();
    } finally {
      this.#emptied = undefined;
      this.#closed = undefined;
      resolve();
    }
  }
}
