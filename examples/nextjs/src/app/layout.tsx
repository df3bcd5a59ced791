/** The frame of every page: menu, search, notice of drafts. */
import { draftMode } from 'next/headers';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { address, menu } from '../content';
import { MenuLink } from './menu-link';
import './style.css';

export const metadata = { icons: { icon: 'data:,' } };

export default async function Layout({ children }: { children: ReactNode }) {
  const { isEnabled } = await draftMode();
  const entries = await menu();
  return (
    <html lang="en">
      <body>
        <a className="skip" href="#main">
          Skip to the content
        </a>
        {isEnabled && (
          <p className="draft" role="status">
            This is a preview of a draft. <a href="/api/draft">Leave it</a>
          </p>
        )}
        <header className="site">
          <Link className="brand" href="/" prefetch={false}>
            Larkfell
          </Link>
          <nav aria-label="Main">
            <ul>
              {entries.slice(1, 7).map((entry) => (
                <li key={entry.id}>
                  <MenuLink href={address(entry.uri)}>{entry.menutitle || entry.pagetitle}</MenuLink>
                </li>
              ))}
            </ul>
          </nav>
          <search>
            <form action="/search">
              <input type="search" name="q" aria-label="Search" placeholder="Search" />
            </form>
          </search>
        </header>
        <main id="main">{children}</main>
        <footer>Built with Next.js from a content server.</footer>
      </body>
    </html>
  );
}
