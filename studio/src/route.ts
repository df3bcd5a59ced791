/** The address of the page: what stands behind `#/`. */
import { useEffect, useState } from 'preact/hooks';

/** Words of the path, decoded: `#/commands/banner%20list` is `['commands', 'banner list']`. */
export type Route = readonly string[];

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const follow = (): void => setRoute(readRoute());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}

export function linkTo(...words: readonly string[]): string {
  return `#/${words.map(encodeURIComponent).join('/')}`;
}

function readRoute(): Route {
  const words = location.hash.replace(/^#\/?/, '').split('/');
  return words.filter((word) => word !== '').map(decoded);
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
