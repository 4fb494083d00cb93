import type { Host } from '../../host/host.ts';

/** The program that opens an address, and its arguments before the address. */
function openerOf({ env, platform }: Host): readonly [string, ...string[]] {
  if (env.TELCTL_BROWSER) return [env.TELCTL_BROWSER];
  if (platform === 'darwin') return ['open'];
  // `start` is a word of a shell there, which would read the address; this is what it calls.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}

/** Opens an address in the browser, or in the program of `TELCTL_BROWSER`. False where that cannot be started. */
export function openBrowser(host: Host, address: string): Promise<boolean> {
  const [program, ...args] = openerOf(host);
  return host.processes.startDetached(program, [...args, address], host.env);
}
