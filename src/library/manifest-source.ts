import { Readable } from 'node:stream';
import type { Host } from '../base/host/host.ts';
import { omitUndefined } from '../base/json.ts';
import type { PlanningInput } from '../cli/commands/manifest/plan/planning.ts';
import type { Listener } from './for-programs.ts';

export interface ManifestSource extends Listener {
  /** Files and folders. Later ones override earlier ones. */
  readonly files?: readonly string[];
  /** Text of a manifest, read after the files. */
  readonly text?: string;
  /** Values for `${var.NAME}`. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Values for `${env.NAME}` (default: those of the client). */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Base folder for relative file names. */
  readonly cwd?: string;
  /** Additional folders that `${file.PATH}` may read. */
  readonly allowFiles?: readonly string[];
  readonly setName?: string;
  readonly allowUnknownFields?: boolean;
  /** Also refuses input that other compatible services refuse. */
  readonly strictInput?: boolean;
}

export interface PlanOptions extends ManifestSource {
  readonly ledger?: string;
  readonly prune?: boolean;
  readonly sendUnreadable?: boolean;
  readonly maxDeletes?: number;
  readonly maxDeletesTotal?: number;
  readonly maxChangePercent?: number;
  readonly force?: boolean;
  readonly takeOver?: boolean;
  readonly deleteDoubles?: boolean;
  /** Parts of the manifest to plan, `users` or `users/alice`, with the objects that they require (default: all). */
  readonly only?: readonly string[];
}

/** The manifest's text replaces standard input. */
export const manifestHost = (host: Host, { env, cwd, text }: ManifestSource): Host => ({
  ...host,
  ...omitUndefined({ env, cwd }),
  stdin: Readable.from(text === undefined ? [] : [Buffer.from(text)]),
});

export function toPlanningInput(options: PlanOptions): PlanningInput {
  const { files = [], text, vars = {}, allowFiles = [], setName, allowUnknownFields, strictInput } = options;
  const { ledger, prune, sendUnreadable, maxDeletes, maxDeletesTotal, maxChangePercent } = options;
  const { force, takeOver, deleteDoubles, only = [] } = options;
  return {
    file: [...files, ...(text === undefined ? [] : ['-'])],
    var: Object.entries(vars).map(([name, value]) => `${name}=${value}`),
    allowFiles,
    setName,
    allowUnknownFields,
    strictInput,
    ledger,
    prune,
    sendUnreadable,
    maxDeletes,
    maxDeletesTotal,
    maxChangePercent,
    force,
    takeOver,
    deleteDoubles,
    only,
  };
}
