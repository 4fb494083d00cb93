import { isObject, type Json, type JsonObject } from '../../base/json.ts';

/** The nodes of a flow, from the top down. */
export function* nodesOf(flow: Json | undefined): Generator<JsonObject> {
  if (!isObject(flow)) return;
  yield flow;
  const { children } = flow;
  for (const child of isObject(children) ? Object.values(children) : []) yield* nodesOf(child);
}
