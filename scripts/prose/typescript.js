import ts from '@typescript/typescript6';

/** Fewer words than these in a string are a name, a key or a value, not prose. */
const LEAST_WORDS = 3;

/** Comments, and strings that are prose, as ranges of the file. */
function proseIn(text) {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const comments = new Map();
  const strings = [];
  const visit = (node) => {
    // A tagged template is code.
    if (ts.isImportDeclaration(node) || ts.isTaggedTemplateExpression(node)) return;
    const ranges = [ts.getLeadingCommentRanges(text, node.pos), ts.getTrailingCommentRanges(text, node.pos)];
    for (const range of ranges.flatMap((found) => found ?? [])) comments.set(range.pos, range);
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) strings.push(node);
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return { comments: [...comments.values()].sort((a, b) => a.pos - b.pos), strings, file };
}

const blank = (text) => text.replace(/[^\n]/g, ' ');
const oneWord = (text) => text.replace(/[^\n]/g, '`');

/** A comment at the same length, without its marks; code in backticks is one word. */
const commentText = (text) =>
  text.replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/+)|\*\/$/gm, blank).replace(/\{@link [^}]*\}|`[^`\n]*`/g, oneWord);

const stringText = (node, file) => {
  let text = node.getText(file).replace(/^.|.$/g, ' ');
  for (const span of ts.isTemplateExpression(node) ? node.templateSpans : []) {
    const start = span.expression.getStart(file) - 2 - node.getStart(file);
    const end = span.expression.end + 1 - node.getStart(file);
    text = text.slice(0, start) + oneWord(text.slice(start, end)) + text.slice(end);
  }
  return text.replace(/`[^`\n]+`/g, oneWord);
};

class Processor {
  availableExtensions() {
    return ['.ts'];
  }

  processor() {
    return {
      preProcess(text) {
        const { comments, strings, file } = proseIn(text);
        const parts = [];
        for (const { pos, end, kind } of comments) {
          const last = parts.at(-1);
          const part = { start: pos, raw: commentText(text.slice(pos, end)) };
          // Lines that begin with // and follow one another are one text.
          const gap = last && text.slice(last.start + last.raw.length, pos);
          if (kind === ts.SyntaxKind.SingleLineCommentTrivia && gap?.trim() === '') last.raw += gap + part.raw;
          else parts.push(part);
        }
        for (const node of strings) {
          const raw = stringText(node, file);
          if (raw.trim().split(/\s+/).length >= LEAST_WORDS) parts.push({ start: node.getStart(file), raw });
        }
        const at = (position) => {
          const { line, character } = file.getLineAndCharacterOfPosition(position);
          return { line: line + 1, column: character };
        };
        const nodeOf = (type, start, raw, more) => {
          const end = start + raw.length;
          return { type, raw, range: [start, end], loc: { start: at(start), end: at(end) }, ...more };
        };
        const children = parts.map(({ start, raw }) =>
          nodeOf('Paragraph', start, raw, { children: [nodeOf('Str', start, raw, { value: raw })] }),
        );
        return nodeOf('Document', 0, text, { children });
      },
      postProcess: (messages, filePath) => ({ messages, filePath }),
    };
  }
}

export default { Processor };
