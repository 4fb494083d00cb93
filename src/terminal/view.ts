import type { Lines } from '../base/lines.ts';
import type { Host } from '../host/host.ts';
import type { OutputFormat } from '../session/settings.ts';
import type { Output } from './output.ts';
import type { Style } from './style.ts';

/** How the result of one run is to be shown. */
export interface View {
  readonly format: OutputFormat;
  /** `--fields`: dotted paths. */
  readonly fields: readonly string[] | undefined;
  /** Fields that the contract does not know pass. */
  readonly allowUnknownFields: boolean;
  /** `--query`: a JMESPath expression. */
  readonly query: string | undefined;
  /** Secret fields are shown. */
  readonly reveal: boolean;
  /** Does work that never waits, until a deadline; signals end the process meanwhile. */
  readonly endable: Host['endable'];
  readonly out: Output;
  readonly style: Style;
  /** A line for people on stderr, beside the result. */
  say(said: Lines): void;
  /** The same for what people should look at. */
  warn(said: Lines): void;
}
