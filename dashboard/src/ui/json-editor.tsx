import { useEffect, useMemo, useRef } from 'preact/hooks';

/** A message about a line of the text. */
interface LineMark {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

interface JsonEditorProps {
  readonly label: string;
  readonly value: string;
  readonly marks: readonly LineMark[];
  readonly onInput: (text: string) => void;
  /** Called for Ctrl or Cmd with Enter. */
  readonly onSubmit: () => void;
  /** Characters to select, and to scroll into view, whenever the object changes. */
  readonly selected?: { readonly offset: number; readonly length: number } | undefined;
  readonly describedBy?: string;
}

/** Pixels. */
const LINE_HEIGHT = 20;
const PADDING = 8;

/** A text area with line numbers, which marks lines and says why. */
export function JsonEditor({ label, value, marks, onInput, onSubmit, selected, describedBy }: JsonEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => value.split('\n'), [value]);
  useEffect(() => {
    const element = area.current;
    if (!element || !selected) return;
    element.focus();
    element.setSelectionRange(selected.offset, selected.offset + selected.length);
    const line = element.value.slice(0, selected.offset).split('\n').length - 1;
    element.scrollTop = Math.max(0, line * LINE_HEIGHT - element.clientHeight / 2);
  }, [selected]);
  return (
    <div class="json-editor">
      <div class="json-editor-layer" aria-hidden="true">
        <div ref={layer}>
          <pre class="line-numbers">{lines.map((_, index) => index + 1).join('\n')}</pre>
          {marks.map(({ line, message }) => (
            <div
              key={`${line} ${message}`}
              class="line-mark"
              style={{ top: `${PADDING + (line - 1) * LINE_HEIGHT}px` }}
            >
              <span style={{ marginLeft: `${(lines[line - 1] ?? '').length + 2}ch` }}>{message}</span>
            </div>
          ))}
        </div>
      </div>
      <textarea
        ref={area}
        aria-label={label}
        aria-invalid={marks.length > 0}
        aria-describedby={describedBy}
        spellcheck={false}
        autocapitalize="off"
        wrap="off"
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onScroll={({ currentTarget: { scrollTop } }) => {
          if (layer.current) layer.current.style.transform = `translateY(${-scrollTop}px)`;
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          onSubmit();
        }}
      />
    </div>
  );
}
