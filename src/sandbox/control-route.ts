import type { Json, JsonObject } from '../base/json.ts';

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
