/** An API key of a site, made by the command. */
import { execFileSync } from 'node:child_process';

interface KeyRequest {
  /** The compiled program. */
  readonly program: string;
  /** In which the command runs. */
  readonly folder: string;
  /** Variables of the site. */
  readonly env: Readonly<Record<string, string>>;
  readonly scopes: string;
}

export function makeKey({ program, folder, env, scopes }: KeyRequest): string {
  const args = [program, 'key', 'create', '--name', 'bench', '--scopes', scopes, '--json'];
  const made = execFileSync(process.execPath, args, {
    ...{ cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' },
    // What it tells people is in the error of a failure, and nowhere else.
    stdio: 'pipe',
  });
  return JSON.parse(made).data.key;
}
