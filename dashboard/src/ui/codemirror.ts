import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { SQLite, sql } from '@codemirror/lang-sql';
import {
  bracketMatching,
  ensureSyntaxTree,
  foldEffect,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { Compartment, EditorState, type Extension, Prec, type StateEffect } from '@codemirror/state';
import { Decoration, EditorView, highlightSpecialChars, keymap, lineNumbers, WidgetType } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { EditorProps, LineMark } from './editor-props.js';
import { INVISIBLE, nameCharacter } from './invisible.js';

/** An editor that is in the document. */
export interface OpenEditor {
  readonly setText: (text: string) => void;
  /** Reads label, language, names and marks again. */
  readonly configure: () => void;
  readonly select: (range: { readonly offset: number; readonly length: number }) => void;
  readonly close: () => void;
}

const languageOf = ({ language, names = {} }: EditorProps): Extension => {
  if (language === 'json') return json();
  if (language === 'tsx') return javascript({ jsx: true, typescript: true });
  return language === 'sql' ? sql({ dialect: SQLite, schema: names, upperCaseKeywords: true }) : [];
};

const colors = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.tagName], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.function(tags.variableName), tags.typeName, tags.className], color: 'var(--code-name)' },
  { tag: [tags.propertyName, tags.attributeName], color: 'var(--code-property)' },
]);

const BORDER = '1px solid var(--border)';
const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', fontSize: '12px' },
  '&.cm-focused': { outline: 'none' },
  // Above the gutter, which covers an outline of the editor.
  '&.cm-focused::after': {
    position: 'absolute',
    zIndex: '300',
    inset: '0',
    border: '2px solid var(--accent)',
    content: '""',
    pointerEvents: 'none',
  },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-gutters': { background: 'var(--bg-sunken)', color: 'var(--muted)', borderRight: BORDER },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--bg-selected)' },
  '.cm-specialChar, .cm-line-message': { color: 'var(--red)' },
  '.cm-specialChar': { background: 'var(--red-bg)' },
  '.cm-line-marked': { background: 'var(--red-bg)', boxShadow: 'inset 3px 0 var(--red)' },
  '.cm-line-message': { marginLeft: '2ch' },
  '.cm-foldPlaceholder': { background: 'var(--bg-hover)', color: 'var(--muted)', border: BORDER, padding: '0 6px' },
  '.cm-tooltip': { background: 'var(--bg-raised)', color: 'var(--text)', border: BORDER },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { background: 'var(--accent-bg)', color: '#fff' },
});

class Message extends WidgetType {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'cm-line-message';
    element.textContent = this.#text;
    return element;
  }
}

/** Colors lines, and writes the messages behind them. */
function toDecorations({ doc }: EditorState, marks: readonly LineMark[]): Extension {
  const ranges = marks.flatMap(({ line, message }) => {
    const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    return [
      Decoration.line({ class: 'cm-line-marked' }).range(from),
      Decoration.widget({ widget: new Message(message), side: 1 }).range(to),
    ];
  });
  return EditorView.decorations.of(Decoration.set(ranges, true));
}

const attributesOf = ({ label, marks = [], onInput }: EditorProps): Extension =>
  EditorView.contentAttributes.of({
    ...{ 'aria-label': label, 'aria-invalid': String(marks.length > 0), 'aria-readonly': String(!onInput) },
  });

/** Lines of a list or an object that is closed at first in a text that can only be read. */
const MAX_OPEN = 40;

/** Closes long lists and objects, but the outermost. */
function foldLong(view: EditorView): void {
  const { state } = view;
  const effects: StateEffect<unknown>[] = [];
  ensureSyntaxTree(state, state.doc.length, 500)?.iterate({
    enter({ name, from, to, node }) {
      if (!/^(?:Array|Object)$/.test(name) || node.parent?.name === 'JsonText') return true;
      if (state.doc.lineAt(to).number - state.doc.lineAt(from).number < MAX_OPEN) return true;
      effects.push(foldEffect.of({ from: from + 1, to: to - 1 }));
      return false;
    },
  });
  view.dispatch({ effects });
}

/** Replaces a selection by typed text. A browser would keep the color of the text by an inline style, which the content policy refuses. */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { data, inputType } = event;
  const { from, to, empty } = view.state.selection.main;
  if (inputType !== 'insertText' || data === null || empty) return false;
  event.preventDefault();
  const insert = () =>
    view.state.update(view.state.replaceSelection(data), { scrollIntoView: true, userEvent: 'input.type' });
  const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert));
  if (!isHandled) view.dispatch(insert());
  return true;
}

/** Opens an editor in an element. In a shadow root its styles are sheets, which the content policy of the page allows. */
export function openEditor(host: HTMLElement, getProps: () => EditorProps): OpenEditor {
  const root = host.attachShadow({ mode: 'open' });
  const [language, marks, attributes] = [new Compartment(), new Compartment(), new Compartment()];
  let text = getProps().value;
  /** Texts that the page has yet to return, the first one included. Meanwhile a person may have typed on. */
  let sent: readonly string[] = [text];
  const view = new EditorView({
    root,
    parent: root,
    doc: text,
    extensions: [
      // All other line ends stay as they are.
      EditorState.lineSeparator.of('\n'),
      lineNumbers(),
      EditorState.readOnly.of(!getProps().onInput),
      foldGutter(),
      keymap.of(foldKeymap),
      history(),
      bracketMatching(),
      closeBrackets(),
      indentOnInput(),
      autocompletion(),
      EditorView.lineWrapping,
      highlightSpecialChars({
        specialChars: INVISIBLE,
        render: (code) => {
          const element = document.createElement('span');
          element.className = 'cm-specialChar';
          element.textContent = nameCharacter(code);
          return element;
        },
      }),
      syntaxHighlighting(colors),
      theme,
      language.of(languageOf(getProps())),
      marks.of([]),
      attributes.of(attributesOf(getProps())),
      Prec.highest(
        keymap.of([
          {
            key: 'Mod-Enter',
            run: () => {
              getProps().onSubmit?.();
              return true;
            },
          },
        ]),
      ),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
      EditorView.domEventHandlers({ beforeinput: replaceSelection }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (!docChanged) return;
        const next = state.sliceDoc();
        if (next === text) return;
        text = next;
        sent = [...sent, text];
        getProps().onInput?.(text);
      }),
    ],
  });
  if (!getProps().onInput) foldLong(view);
  return {
    setText(next) {
      const index = sent.indexOf(next);
      sent = sent.slice(index < 0 ? sent.length : index + 1);
      if (index >= 0 || next === text) return;
      text = next;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    configure() {
      const props = getProps();
      view.dispatch({
        effects: [
          language.reconfigure(languageOf(props)),
          attributes.reconfigure(attributesOf(props)),
          marks.reconfigure(toDecorations(view.state, props.marks ?? [])),
        ],
      });
    },
    select({ offset, length }) {
      const size = view.state.doc.length;
      const [anchor, head] = [offset, offset + length].map((place) => Math.min(place, size));
      view.dispatch({ selection: { anchor: anchor ?? 0, head: head ?? 0 }, scrollIntoView: true });
      view.focus();
    },
    close: () => view.destroy(),
  };
}
