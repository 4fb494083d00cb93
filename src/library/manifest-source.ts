import { Readable } from 'node:stream';
import type { Host } from '../base/host/host.ts';
import { given } from '../base/json.ts';
import type { PlanningInput } from '../cli/commands/manifest/plan/planning.ts';
import type { Listener } from './for-programs.ts';

/** A manifest, and what it is filled in with. */
export interface ManifestSource extends Listener {
  /** Files and folders; later ones win. */
  readonly files?: readonly string[];
  /** Text of a manifest, read after the files. */
  readonly text?: string;
  /** Values that `${var.NAME}` stands for. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Values that `${env.NAME}` stands for; those of the client where left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder that names of files are relative to. */
  readonly cwd?: string;
  /** Folders that `${file.PATH}` may read from, besides that of the manifest. */
  readonly allowFiles?: readonly string[];
  /** Name of the manifest set. */
  readonly setName?: string;
  /** Sends fields that telctl does not know. */
  readonly allowUnknownFields?: boolean;
  /** Refuses what compatible services refuse, too. */
  readonly strictInput?: boolean;
}

/** A manifest, and what a plan of it may hold; as the options of `telctl plan`. */
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
  /** Parts of the manifest, `users` or `users/alice`, with what must be created for them; all by default. */
  readonly only?: readonly string[];
}

/** The machine as the manifest may use it: its text stands for standard input. */
export const machineFor = (host: Host, { env, cwd, text }: ManifestSource): Host => ({
  ...host,
  ...given({ env, cwd }),
  stdin: Readable.from(text === undefined ? [] : [Buffer.from(text)]),
});

/** A manifest source as the options of the command line. */
export function inputOf(options: PlanOptions): PlanningInput {
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
