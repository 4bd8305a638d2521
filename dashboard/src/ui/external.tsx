import type { ComponentChildren } from 'preact';
import { visible } from './invisible.js';

/** A web address in a text, without the punctuation behind it. */
const ADDRESS = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/i;

/** A link out of the page, which opens in another tab and names no referrer. */
export const ExternalLink = ({ to, children }: { readonly to: string; readonly children: ComponentChildren }) => (
  <a href={to} target="_blank" rel="noreferrer">
    {children}
  </a>
);

/** Renders a text whose web addresses are links. */
export const renderAddresses = (text: string): ComponentChildren =>
  text.split(ADDRESS).map((part, index) =>
    index % 2 === 0 ? (
      visible(part)
    ) : (
      <ExternalLink key={index} to={part}>
        {part}
      </ExternalLink>
    ),
  );
