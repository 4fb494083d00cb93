import type { Host } from '../../host/host.ts';
import { addressVariable, keyVariable } from './run/environment.ts';
import { type Places, placesOf } from './run/places.ts';

/** The sandbox that a command is for. */
export type Target =
  /** The one of the `sandbox exec` that the command runs in. */
  | { readonly kind: 'exec'; readonly baseUrl: string; readonly controlKey: string }
  | { readonly kind: 'named'; readonly places: Places };

/**
 * The one rule for every command on a sandbox: the one that `--name` names; without a name the one of the
 * `sandbox exec` that the command runs in; else the one called default. Throws `Failure` (`usage`) for what cannot be
 * a name.
 */
export function targetOf(host: Pick<Host, 'env' | 'folders'>, name: string | undefined): Target {
  const { [addressVariable]: baseUrl, [keyVariable]: controlKey } = host.env;
  if (name === undefined && baseUrl && controlKey) return { kind: 'exec', baseUrl, controlKey };
  return { kind: 'named', places: placesOf(host, name) };
}
