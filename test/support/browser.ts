import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Opens a headless browser that closes with the test, or when `after` runs. */
export async function openBrowser(
  after: (end: () => Promise<void>) => void = onTestFinished,
): Promise<BrowserContext> {
  if (!existsSync(executablePath)) {
    throw new Error(`Chromium not found at ${executablePath}. Install it, or set CHROMIUM to its path.`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'telctl-browser-'));
  const browser = await chromium.launchPersistentContext(folder, { executablePath, args: flags });
  after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return browser;
}
