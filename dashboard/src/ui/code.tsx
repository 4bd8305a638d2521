// The core and the languages that are shown. They are in the order in which one extends another.
import Prism from 'prismjs/components/prism-core.js';
import 'prismjs/components/prism-markup.js';
import 'prismjs/components/prism-clike.js';
import 'prismjs/components/prism-javascript.js';
import 'prismjs/components/prism-typescript.js';
import 'prismjs/components/prism-json.js';
import 'prismjs/components/prism-jsx.js';
import 'prismjs/components/prism-tsx.js';
import 'prismjs/components/prism-bash.js';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { toPrettyJson } from '../lib/format.js';
import { CopyButton } from './elements.js';
import { renderAddresses } from './external.js';

export type Language = 'tsx' | 'json' | 'bash' | 'html' | 'text';

/** Longer texts are shown without colors: they would take too long. */
const MAX_HIGHLIGHTED = 100_000;

/** Renders tokens as elements, never as HTML: the text is a user's. */
const renderToken = (token: string | Prism.Token, key: number): ComponentChildren => {
  if (typeof token === 'string') return token;
  const { type, content } = token;
  const children = Array.isArray(content) ? content.map(renderToken) : renderToken(content, 0);
  return (
    <span key={key} class={`token ${type}`}>
      {children}
    </span>
  );
};

function highlight(text: string, language: Language): ComponentChildren {
  if (text.length > MAX_HIGHLIGHTED) return text;
  const grammar = Prism.languages[language];
  if (language === 'text' || !grammar) return renderAddresses(text);
  return Prism.tokenize(text, grammar).map(renderToken);
}

/** Text with colors, which can be copied. */
export function Code({ text, language = 'tsx' }: { readonly text: string; readonly language?: Language }) {
  const content = useMemo(() => highlight(text, language), [text, language]);
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, also by keys */}
      <pre tabIndex={0}>
        <code>{content}</code>
      </pre>
      <CopyButton text={text} />
    </div>
  );
}

/** A value as JSON with colors. A text that is no JSON is shown as it is. */
export const Json = ({ value }: { readonly value: unknown }) =>
  typeof value === 'string' ? (
    <Code text={value} language="text" />
  ) : (
    <Code text={toPrettyJson(value)} language="json" />
  );
