import { useEffect, useRef, useState } from 'preact/hooks';
import type { OpenEditor } from './codemirror.js';
import type { EditorProps, LineMark } from './editor-props.js';

const NO_MARKS: readonly LineMark[] = [];
/** Pixels. */
const LINE_HEIGHT = 20;

/** A text of code with colors, completion and messages at its lines. Tab leaves it. */
export function Editor(props: EditorProps) {
  const { value, marks = NO_MARKS, selected, names, language, label, rows } = props;
  const host = useRef<HTMLDivElement>(null);
  const current = useRef(props);
  current.current = props;
  const [editor, setEditor] = useState<OpenEditor | undefined>(undefined);
  useEffect(() => {
    let opened: OpenEditor | undefined;
    let isGone = false;
    // Loaded late: it is larger than the page.
    void import('./codemirror.js').then(({ openEditor }) => {
      if (isGone || !host.current) return;
      opened = openEditor(host.current, () => current.current);
      setEditor(opened);
    });
    return () => {
      isGone = true;
      opened?.close();
    };
  }, []);
  useEffect(() => editor?.setText(value), [editor, value]);
  useEffect(() => editor?.configure(), [editor, label, language, names, marks]);
  useEffect(() => {
    if (selected) editor?.select(selected);
  }, [editor, selected]);
  return <div ref={host} class="editor" style={rows === undefined ? {} : { height: `${rows * LINE_HEIGHT + 16}px` }} />;
}
