export type EditorLanguage = 'json' | 'tsx' | 'sql' | 'text';

/** A message about a line of the text. */
export interface LineMark {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export interface EditorProps {
  readonly label: string;
  readonly value: string;
  readonly language: EditorLanguage;
  /** Default: the text can only be read */
  readonly onInput?: (text: string) => void;
  /** Default: none */
  readonly marks?: readonly LineMark[];
  /** Called for Ctrl or Cmd with Enter. Default: nothing happens */
  readonly onSubmit?: () => void;
  /** Characters to select, and to scroll into view, whenever the object changes. */
  readonly selected?: { readonly offset: number; readonly length: number } | undefined;
  /** Names that SQL completes: columns by table. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  /** Lines in view. Default: most of the window */
  readonly rows?: number;
}
