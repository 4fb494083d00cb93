/** The part of undici that deliveries need, loaded without the rest of it. The package types only its whole. */
declare module 'undici/lib/dispatcher/agent.js' {
  import type { Agent } from 'undici';

  const agent: typeof Agent;
  export = agent;
}
