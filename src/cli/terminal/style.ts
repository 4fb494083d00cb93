import type { ChalkInstance } from 'chalk';
import { isTruthyText } from '../../base/wording.ts';

/** Color functions. Every line is also clear without color. */
export interface Style {
  readonly good: (text: string) => string;
  readonly careful: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly spoken?: boolean;
}

export const unstyled = (text: string): string => text;

export const plainStyle: Style = {
  good: unstyled,
  careful: unstyled,
  bad: unstyled,
  dim: unstyled,
  bold: unstyled,
};

const chalkStyle = (chalk: ChalkInstance): Style => ({
  good: (text) => chalk.green(text),
  careful: (text) => chalk.yellow(text),
  bad: (text) => chalk.red(text),
  dim: (text) => chalk.dim(text),
  bold: (text) => chalk.bold(text),
});

/** Returns the style of a stream. Loads the color package only if needed. `spoken`: use words instead of symbols. */
export async function styleFor(colored: boolean, spoken = false): Promise<Style> {
  if (!colored) return spoken ? { ...plainStyle, spoken } : plainStyle;
  const { Chalk } = await import('chalk');
  return { ...chalkStyle(new Chalk({ level: 1 })), ...(spoken ? { spoken } : {}) };
}

type Env = Readonly<Record<string, string | undefined>>;

/** Decides by `--color`, then by variables, then by the stream. */
export function isColored(when: 'auto' | 'always' | 'never', env: Env, isTerminal: boolean): boolean {
  if (when !== 'auto') return when === 'always';
  if (env.NO_COLOR) return false;
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  return isTerminal && env.TERM !== 'dumb';
}

/** Returns true for screen readers: no redrawing, words instead of symbols, plain questions. */
export const isAccessible = ({ TELCTL_ACCESSIBLE: value = '' }: Env): boolean => isTruthyText(value);
