/** Fills in each text between its markers: `<!-- generated: name -->` and `<!-- end of name -->`. */
export function fill(page: string, texts: Readonly<Record<string, string>>): string {
  return page.replace(
    /(<!-- generated: ([\w-]+) -->\n)[\s\S]*?(<!-- end of \2 -->)/g,
    (_, start: string, name: string, end: string) => {
      const text = texts[name];
      if (text === undefined) throw new Error(`Unknown marker "${name}": use ${Object.keys(texts).join(', ')}`);
      return `${start}\n${text}\n\n${end}`;
    },
  );
}
