import type { Json, JsonObject } from '../../contract/json.ts';
import type { Services } from '../parts.ts';

/** What a control route is asked. */
export interface ControlRequest {
  readonly query: URLSearchParams;
  /** Values of the path's parts, `:id`. */
  readonly params: Readonly<Record<string, string>>;
  /** Empty where none was sent. */
  readonly body: JsonObject;
}

/**
 * A route of the sandbox itself, outside of the service. What changes something (not GET) takes the control key.
 * `answer` gives what the reply carries, as JSON, or throws a `Refusal` for what people can do something about.
 */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the root: `/sandbox/clock`. */
  readonly path: `/sandbox/${string}`;
  readonly answer: (request: ControlRequest) => Promise<Json>;
}

/** Makes the routes of one part of the sandbox. */
export type ControlRoutes = (services: Services) => readonly ControlRoute[];
