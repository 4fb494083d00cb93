import type { Json } from '../../base/json.ts';
import type { Result } from '../../command/result.ts';

/** With `--dry-run`: what a command would do, said in place of doing it. */
export const wouldDo = (what: string, value?: Json): Result => ({
  kind: 'done',
  message: `Would ${what}. Nothing was changed.`,
  ...(value === undefined ? {} : { value }),
});
