/** Whether a key is for the page, not for a control, a dialog or a text that scrolls. */
export const isForPage = ({ target, key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !(ctrlKey || metaKey || altKey) &&
  target instanceof Element &&
  target.closest('input:not([type="checkbox"]), select, textarea, dialog, .menu[open]') === null &&
  (key === 'Escape' || target.closest('pre') === null);
