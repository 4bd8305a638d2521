import { withQuery } from '../../lib/api.js';
import { at, pathOf } from '../../lib/location.js';
import { useResource } from '../../lib/resource.js';
import type { BlobContent } from '../../lib/types.js';
import { Bytes } from '../../ui/bytes.js';
import { Code } from '../../ui/code.js';
import { Loading } from '../../ui/commit.js';
import { ErrorMessage } from '../../ui/elements.js';

/** Images by the first bytes of their base64. An SVG is text. */
const IMAGES: Readonly<Record<string, string>> = {
  iVBORw0KGgo: 'image/png',
  '/9j/': 'image/jpeg',
  R0lGOD: 'image/gif',
  UklGR: 'image/webp',
};

/** The content of a blob: text, JSON or an image. Other bytes can be downloaded. */
export function BlobView({ id }: { readonly id: string }) {
  const { data, error } = useResource<BlobContent>(withQuery(pathOf('blobs', id), { at: at.value }));
  if (error) return <ErrorMessage error={error} />;
  if (!data) return <Loading />;
  const { key, text, base64 } = data;
  if (text !== undefined) return <TextView text={text} />;
  const type = Object.entries(IMAGES).find(([start]) => base64?.startsWith(start))?.[1];
  return (
    <div class="stack">
      {type !== undefined && <img src={`data:${type};base64,${base64}`} alt={key} />}
      <Bytes content={{ base64: base64 ?? '' }} file={key.split('/').at(-1) || 'blob'} />
    </div>
  );
}

function TextView({ text }: { readonly text: string }) {
  try {
    const value: unknown = JSON.parse(text);
    return <Code text={JSON.stringify(value, undefined, 2)} language="json" />;
  } catch {
    return <Code text={text} language="text" />;
  }
}
