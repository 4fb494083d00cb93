import { isOn } from '../../base/wording.ts';

/** Variables that assistants set where they run commands; none of them is set in a terminal that people type in. */
export const assistants = [
  'AI_AGENT',
  'CLAUDECODE',
  'CURSOR_AGENT',
  'GEMINI_CLI',
  'CODEX_SANDBOX',
  'CODEX_THREAD_ID',
  'CLINE_ACTIVE',
  'AUGMENT_AGENT',
  'OPENCODE',
] as const;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns the variable that says that an assistant reads what telctl prints; `undefined` where none does. The word of
 * `TELCTL_AGENT`, yes or no, goes before all others.
 */
export function assistantIn(env: Env): string | undefined {
  const { TELCTL_AGENT: own = '' } = env;
  if (own !== '') return isOn(own) ? 'TELCTL_AGENT' : undefined;
  return assistants.find((name) => isOn(env[name] ?? ''));
}

/** Returns the format in which a run shows errors, before settings are known: that of its option, or of variables. */
export const errorFormat = (typed: string | undefined, env: Env): string | undefined =>
  typed ?? env.TELCTL_OUTPUT ?? (assistantIn(env) === undefined ? undefined : 'json');
