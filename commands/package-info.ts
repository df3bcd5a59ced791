/** What the program knows of its own package: its version. */
import { existsSync, readFileSync } from 'node:fs';

/** The version in package.json, which stands one folder up from the sources and two from the compiled files. */
export function readVersion(): string {
  const places = ['../package.json', '../../package.json'].map((place) => new URL(place, import.meta.url));
  const place = places.find((candidate) => existsSync(candidate));
  if (place === undefined) throw new Error('package.json is missing beside the program');
  const content: unknown = JSON.parse(readFileSync(place, 'utf8'));
  if (typeof content === 'object' && content !== null && 'version' in content) return String(content.version);
  throw new Error('package.json has no version');
}
