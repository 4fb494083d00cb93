/**
 * The part of undici that deliveries need. It loads without the rest. The package has types only for its main entry
 * point.
 */
declare module 'undici/lib/dispatcher/agent.js' {
  import type { Agent } from 'undici';

  const agent: typeof Agent;
  export = agent;
}
