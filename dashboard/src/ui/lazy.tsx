import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button, Empty, Page } from './elements.js';

/** Makes a page of a module that is loaded when the page is first shown. @param title that of the page if it fails */
export function lazyPage(title: string, load: () => Promise<ComponentType>): ComponentType {
  let Loaded: ComponentType | undefined;
  return function LazyPage() {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
    useEffect(() => {
      load().then(
        (component) => {
          Loaded = component;
          setState('loaded');
        },
        () => setState('failed'),
      );
    }, []);
    if (Loaded) return <Loaded />;
    if (state === 'loading') return null;
    return (
      <Page title={title}>
        <Empty title="The page could not be loaded">
          <p>No emulator responds, or it is now another version.</p>
          <Button onClick={() => window.location.reload()}>Load again</Button>
        </Empty>
      </Page>
    );
  };
}
