/** Bytes as the control API writes them. */
export interface Base64 {
  readonly base64: string;
}

const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

/** Whether a value is bytes. A JSON text may look the same. */
export const isBase64 = (value: unknown): value is Base64 =>
  typeof value === 'object' &&
  value !== null &&
  'base64' in value &&
  typeof value.base64 === 'string' &&
  Object.keys(value).length === 1 &&
  BASE64.test(value.base64);

export const toBytes = ({ base64 }: Base64): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
