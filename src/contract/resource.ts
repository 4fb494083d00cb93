import type { Schema } from './schema-node.ts';
import type { Resource } from './types.ts';

/** A resource as its file describes it: its schema is made when somebody first looks at it. */
export type ResourceFacts = Omit<Resource, 'schema'> & { readonly schema: () => Schema };

/**
 * A resource whose schema comes into being on first use: a command needs one or two of them, and making all would
 * be felt at each start of the program.
 */
export function resource(facts: ResourceFacts): Resource {
  let made: Schema | undefined;
  return {
    ...facts,
    get schema() {
      made ??= facts.schema();
      return made;
    },
  };
}
