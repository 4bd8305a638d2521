const ONE = '(?:0|[1-9](?:[xX]{2}|\\d{2}))';

/** Several statuses in a text: `404`, `4xx`, `404,5xx`. */
export const STATUS_PATTERN = `^${ONE}(?:, ?${ONE})*$`;

export const STATUS_EXAMPLES = 'an HTTP status such as 404, a class such as 4xx, or several: 404,5xx';

/** Returns a test of statuses. @param wanted a status, or a text of {@link STATUS_PATTERN} */
export function matchStatus(wanted: number | string): (status: number) => boolean {
  const alternatives = String(wanted).replaceAll(/x/gi, '\\d').replaceAll(/, ?/g, '|');
  const pattern = new RegExp(`^(?:${alternatives})$`);
  return (status) => pattern.test(String(status));
}
