/** Copies a text. Over plain http of another host a browser offers no clipboard, but copies what is selected. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  // In the open dialog, since nothing else takes the focus then.
  const parent = document.querySelector('dialog[open]') ?? document.body;
  const focused = document.activeElement;
  field.className = 'visually-hidden';
  parent.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new Error('This browser copies nothing over plain http: select the text, and press Ctrl C.');
}
