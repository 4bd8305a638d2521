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
import { isBase64 } from '../lib/base64.js';
import { toPrettyJson } from '../lib/format.js';
import { Bytes } from './bytes.js';
import { Editor } from './editor.js';
import { CopyButton } from './elements.js';
import { renderAddresses } from './external.js';
import { visible } from './invisible.js';

export type Language = 'tsx' | 'json' | 'bash' | 'html' | 'text';

/** Longer texts are in a reader, which has the lines in view only. */
const MAX_LENGTH = 10_000;
/** Lines of a reader. */
const MAX_ROWS = 22;

/** Renders tokens as elements, never as HTML: the text is a user's. */
const renderToken = (token: string | Prism.Token, key: number): ComponentChildren => {
  if (typeof token === 'string') return visible(token);
  const { type, content } = token;
  const children = Array.isArray(content) ? content.map(renderToken) : renderToken(content, 0);
  return (
    <span key={key} class={`token ${type}`}>
      {children}
    </span>
  );
};

function highlight(text: string, language: Language): ComponentChildren {
  const grammar = Prism.languages[language];
  if (language === 'text' || !grammar) return renderAddresses(text);
  return Prism.tokenize(text, grammar).map(renderToken);
}

/** Text with colors, which can be copied. */
export function Code({ text, language = 'tsx' }: { readonly text: string; readonly language?: Language }) {
  const isLong = text.length > MAX_LENGTH;
  const content = useMemo(() => (isLong ? null : highlight(text, language)), [text, language]);
  if (isLong) {
    const rows = Math.min(MAX_ROWS, text.split('\n').length);
    return (
      <div class="code">
        <Editor
          label="Text"
          value={text}
          language={language === 'json' || language === 'tsx' ? language : 'text'}
          rows={rows}
        />
        <CopyButton text={text} />
      </div>
    );
  }
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

/** A value as JSON with colors. A text that is not JSON is shown as it is, and bytes as numbers. */
export function Json({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') return <Code text={value} language="text" />;
  return isBase64(value) ? <Bytes content={value} /> : <Code text={toPrettyJson(value)} language="json" />;
}
