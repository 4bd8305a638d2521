import { useMemo } from 'preact/hooks';
import { saveBlob } from '../lib/api.js';
import { type Base64, toBytes } from '../lib/base64.js';
import { formatNoun, formatNumber } from '../lib/format.js';
import { Button } from './elements.js';
import { VirtualList } from './virtual-list.js';

/** Bytes of a row. */
const WIDTH = 16;

const toHex = (byte: number, length = 2): string => byte.toString(16).padStart(length, '0');

/** Bytes that are not text: their number, and all of them as numbers and as ASCII. */
export function Bytes({ content, file = 'body.bin' }: { readonly content: Base64; readonly file?: string }) {
  const bytes = useMemo(() => toBytes(content), [content.base64]);
  const rowOf = (index: number) => {
    const row = [...bytes.subarray(index * WIDTH, (index + 1) * WIDTH)];
    const text = row.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    return `${toHex(index * WIDTH, 8)}  ${row
      .map((byte) => toHex(byte))
      .join(' ')
      .padEnd(WIDTH * 3)} ${text}`;
  };
  return (
    <div class="bytes">
      <p class="toolbar">
        {formatNumber(bytes.length)} {formatNoun(bytes.length, 'bytes')}
        <Button icon="download" onClick={() => saveBlob(new Blob([bytes]), file)}>
          Download
        </Button>
      </p>
      {bytes.length > 0 && (
        <VirtualList
          label="Bytes as hexadecimal numbers"
          count={Math.ceil(bytes.length / WIDTH)}
          rowHeight={18}
          renderRow={(index) => <pre>{rowOf(index)}</pre>}
        />
      )}
    </div>
  );
}
