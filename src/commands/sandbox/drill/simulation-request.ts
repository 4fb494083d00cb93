import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Context } from '../../../command/context.ts';

/** An option that must be given. Throws `Failure` (`usage`). */
export function needed(value: string | undefined, option: string): string {
  if (value !== undefined && value.trim() !== '') return value;
  throw new Failure('usage', `The option ${option} is missing.`);
}

/** Text that `--dry-run` says beside what it shows. */
export const nothingDone = 'Nothing was kept, and nobody was told.';

/** The account that `--account` names; the setting of a profile or a folder is of another service. */
export const accountIn = ({ settings }: Pick<Context, 'settings'>): JsonObject =>
  settings.account.source === 'option' ? { account: settings.account.value } : {};
