/** The page as its readers get it, at the width of their screens. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../texts.js';

const widths = { phone: 390, tablet: 820, desktop: 1280 } as const;
type Screen = keyof typeof widths;
const screens = Object.keys(widths) as readonly Screen[];

interface PreviewProps {
  readonly id: number;
  /** `draft`, or the number of a publication. */
  readonly document: string;
  /** Another one for another content. */
  readonly revision: number;
  /** Section to scroll to. */
  readonly section: string | null;
}

export function Preview({ id, document: which, revision, section }: PreviewProps) {
  const [screen, setScreen] = useState<Screen>('phone');
  const place = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const resize = (): void => {
      if (place.current === null || frame.current === null) return;
      const scale = Math.min(1, place.current.clientWidth / widths[screen]);
      Object.assign(frame.current.style, {
        width: `${widths[screen]}px`,
        height: `${place.current.clientHeight / scale}px`,
        transform: `scale(${scale})`,
      });
    };
    resize();
    const observer = new ResizeObserver(resize);
    if (place.current !== null) observer.observe(place.current);
    return () => observer.disconnect();
  }, [screen]);
  const query = new URLSearchParams({ document: which, revision: String(revision) });
  return (
    <section class="preview" aria-label={texts.writing.preview}>
      <div class="bar">
        <h2>{texts.writing.preview}</h2>
        <div class="choice">
          {screens.map((one) => (
            <button type="button" class="small" aria-pressed={one === screen} onClick={() => setScreen(one)}>
              {texts.writing.screens[one]}
            </button>
          ))}
        </div>
      </div>
      <div class="screen" ref={place}>
        <iframe
          ref={frame}
          sandbox=""
          title={texts.writing.preview}
          src={`/frame/${id}?${query}${section === null ? '' : `#section-${section}`}`}
        />
      </div>
    </section>
  );
}
