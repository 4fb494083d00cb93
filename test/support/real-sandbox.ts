import { onTestFinished } from 'vitest';
import { makeFolders } from './fake-host.ts';
import { type End, runWithSandbox } from './run-with-sandbox.ts';

/** A sandbox in its own process. */
export interface RealSandbox {
  readonly pid: number;
  readonly baseUrl: string;
  readonly accountId: string;
  readonly token: string;
  /** Sends a request to the account, or to the service if the path starts with a slash. Throws on failure. */
  ask(method: string, path: string, data?: unknown): Promise<unknown>;
}

/** A home folder for real sandboxes. It is removed after the test, and they are stopped. */
export interface SandboxHome {
  readonly home: string;
  telctl(...argv: readonly string[]): Promise<End>;
  /** Starts the sandbox with these options, or returns the running one. */
  start(...options: readonly string[]): Promise<RealSandbox>;
}

export function sandboxHome(): SandboxHome {
  const { home, remove } = makeFolders();
  onTestFinished(async () => {
    await runWithSandbox(['sandbox', 'stop'], { home });
    remove();
  });
  const telctl = (...argv: readonly string[]): Promise<End> => runWithSandbox(argv, { home });
  const json = async (...argv: readonly string[]) => {
    const { code, stdout, stderr } = await telctl(...argv, '-o', 'json');
    if (code !== 0) throw new Error(`telctl ${argv.join(' ')} exited with code ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };
  return {
    home,
    telctl,
    async start(...options) {
      await json('sandbox', 'start', ...options);
      const { pid, account_id: accountId } = await json('sandbox', 'status');
      const { TELCTL_BASE_URL: baseUrl, TELCTL_API_KEY: apiKey } = await json('sandbox', 'env');
      const send = async (method: string, path: string, data: unknown, token?: string) => {
        const reply = await fetch(`${baseUrl}${path}`, {
          method,
          headers: {
            ...(data === undefined ? {} : { 'content-type': 'application/json' }),
            ...(token === undefined ? {} : { 'x-auth-token': token }),
          },
          ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
        });
        const text = await reply.text();
        if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
        return JSON.parse(text);
      };
      const { auth_token: token } = await send('PUT', '/v2/api_auth', { api_key: apiKey });
      const ask: RealSandbox['ask'] = async (method, path, data) => {
        const whole = path.startsWith('/') ? path : `/v2/accounts/${accountId}/${path}`;
        return (await send(method, whole, data, token)).data;
      };
      return { pid, baseUrl, accountId, token, ask };
    },
  };
}
