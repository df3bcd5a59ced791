/** Banners: which run and why, what they brought, and the positions of pages. */
import { linkTo, type Route } from '../site.js';
import { texts } from '../texts.js';
import { BannerList, BannerPage } from './banner-list.js';
import { PositionList, PositionPage } from './positions.js';
import { Statistics } from './statistics.js';

export function BannersRoom({ route }: { readonly route: Route }) {
  const [view = 'list', id = '', position = ''] = route;
  return (
    <>
      <nav class="tabs" aria-label={texts.rooms.banners}>
        {Object.entries(texts.banners.tabs).map(([name, title]) => (
          <a href={linkTo('banners', name)} aria-current={name === view ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <View view={view} id={id} position={position} />
    </>
  );
}

function View({ view, id, position }: { readonly view: string; readonly id: string; readonly position: string }) {
  switch (view) {
    case 'statistics':
      return <Statistics banner={id === '0' ? '' : id} position={position} />;
    case 'positions':
      return id === '' ? <PositionList /> : <PositionPage key={id} id={id} />;
    case 'new':
      return <BannerPage key="new" id="" />;
    case 'banner':
      return <BannerPage key={id} id={id} />;
    default:
      return <BannerList />;
  }
}
