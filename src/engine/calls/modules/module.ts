import type { ModuleRun } from '../outcome.ts';

export interface CallModule {
  readonly run: ModuleRun;
  /** Keys of its data that have their effect here, separated by blanks. */
  readonly simulated: string;
  /** Keys that are passed over, and why; a call that meets one says so. */
  readonly named?: Readonly<Record<string, string>>;
  /** Keys without an effect on calls, and why. */
  readonly none?: Readonly<Record<string, string>>;
}
