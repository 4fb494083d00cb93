/** The result of one look at the set-up. */
export interface Check {
  readonly check: string;
  readonly result: 'ok' | 'warn' | 'fail';
  /** One sentence. */
  readonly finding: string;
  /** Advice, if something is to be done. */
  readonly remedy?: string;
}

export const ok = (check: string, finding: string): Check => ({ check, result: 'ok', finding });

export const warn = (check: string, finding: string, remedy: string): Check => ({
  check,
  result: 'warn',
  finding,
  remedy,
});

export const fail = (check: string, finding: string, remedy: string): Check => ({
  check,
  result: 'fail',
  finding,
  remedy,
});
