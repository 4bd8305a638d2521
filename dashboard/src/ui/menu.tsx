import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon } from './icons.js';

/** More actions of a page, below the one that most readers want. A choice, Escape and a click elsewhere close it. */
export function Menu({ label = 'More', children }: { readonly label?: string; readonly children: ComponentChildren }) {
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (details.current) details.current.open = false;
  };
  return (
    <details
      class="menu"
      ref={details}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        event.stopPropagation();
        close();
        details.current.querySelector('summary')?.focus();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !details.current?.contains(relatedTarget)) close();
      }}
    >
      <summary class="button">
        {label}
        <Icon name="down" />
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it are operated by keys */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the buttons in it are operated by keys */}
      <div class="menu-items" onClick={close}>
        {children}
      </div>
    </details>
  );
}
