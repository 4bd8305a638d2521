import { useEffect, useState } from 'preact/hooks';
import { CopyButton } from './elements.js';
import { Icon } from './icons.js';

/** Copies a text, or downloads it as a file. */
export function DownloadActions({
  text,
  file,
  type = 'application/json',
  kind = 'primary',
  label,
}: {
  readonly text: string;
  readonly file: string;
  readonly type?: string;
  readonly kind?: 'primary' | '';
  /** What is copied, for screen readers. */
  readonly label: string;
}) {
  const [url, setUrl] = useState<string | undefined>(undefined);
  useEffect(() => {
    const created = URL.createObjectURL(new Blob([text], { type }));
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [text]);
  return (
    <>
      <CopyButton text={text} label={label}>
        Copy
      </CopyButton>
      {url !== undefined && (
        <a class={`button ${kind}`} href={url} download={file}>
          <Icon name="download" />
          Download {file}
        </a>
      )}
    </>
  );
}
