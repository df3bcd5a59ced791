/** An entry of the menu, marked on its page and on those below it. The frame of all pages does not know the page. */
'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';

export function MenuLink({ href, children }: { href: string; children: string }) {
  // Next.js gives the address with or without the slash at its end.
  const [here, entry] = [usePathname(), href].map((path) => path.replace(/\/*$/, '/'));
  return (
    <Link href={href} prefetch={false} aria-current={here.startsWith(entry) ? 'page' : undefined}>
      {children}
    </Link>
  );
}
