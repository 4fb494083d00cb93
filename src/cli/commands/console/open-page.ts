import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Host } from '../../../base/host/host.ts';
import { openBrowser } from '../login/sso-client.ts';

/** A page that leads on to an address at once. The address is telctl's own: it has nothing to escape. */
const leadingTo = (address: string): string => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>telctl console</title>
<a href="${address}">Open the console</a>
`;

/** The result of opening an address: whether a browser was started, and what removes the file that led there. */
interface Opening {
  readonly started: boolean;
  remove(): void;
}

/**
 * Opens an address with a key in the browser, by way of a private file: arguments of programs can be read by everybody
 * on this machine. The file is to be removed once the browser was there.
 */
export async function openPrivately(host: Host, address: string): Promise<Opening> {
  const { files, folders, random } = host;
  const name = `${Buffer.from(random.bytes(12)).toString('base64url')}.html`;
  const path = join(folders.state, 'opening', name);
  const remove = (): void => files.remove(path);
  try {
    files.writePrivate(path, leadingTo(address));
  } catch {
    return { started: false, remove };
  }
  return { started: await openBrowser(host, pathToFileURL(path).href), remove };
}
