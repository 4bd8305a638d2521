import { useEffect, useState } from 'preact/hooks';

/** Renders again every so many milliseconds, while the page is visible. */
export function useTicks(ms: number): void {
  const [, update] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') update((n) => n + 1);
    }, ms);
    return () => clearInterval(timer);
  }, [ms]);
}
