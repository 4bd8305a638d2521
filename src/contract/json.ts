/** JSON text in the place of the value of type `T` that it stands for. */
export class Json<T> {
  declare protected readonly standsFor: T;
  readonly text: string;
  /** Length of the text in UTF-8. Kept, so that nobody need go through the text for it. */
  readonly byteLength: number;

  /** @param byteLength if it is known already */
  constructor(text: string, byteLength = Buffer.byteLength(text)) {
    this.text = text;
    this.byteLength = byteLength;
  }

  static of<T>(value: T): Json<T> {
    return new Json(JSON.stringify(value));
  }
}
