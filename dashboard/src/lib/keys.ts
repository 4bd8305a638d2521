/** What takes keys itself: fields, editors, dialogs, and widgets in which the arrow keys move. */
const OWNERS = [
  ...['input:not([type="checkbox"])', 'select', 'textarea', ':read-write', 'dialog', '.menu[open]'],
  ...['grid', 'listbox', 'menu', 'radiogroup', 'slider', 'tablist', 'tree'].map((role) => `[role="${role}"]`),
].join();

/** Whether an input method takes a key, such as the Enter that chooses a character. Safari says so by the code of the key only. */
export const isComposed = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === 229;

/** Whether a key is for the page: no control, dialog or text that scrolls takes it, also none in a shadow root. */
export function isForPage(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  if (ctrlKey || metaKey || altKey || defaultPrevented) return false;
  const owners = key === 'Escape' ? OWNERS : `${OWNERS}, pre`;
  return !event.composedPath().some((each) => each instanceof Element && each.matches(owners));
}
