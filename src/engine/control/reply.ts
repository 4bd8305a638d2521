/** A successful response of a control route whose headers depend on the request: a text of another type, or a redirect. */
export class Reply {
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for a redirect. */
  readonly text: string | undefined;

  constructor(headers: Readonly<Record<string, string>>, text?: string) {
    this.headers = headers;
    this.text = text;
  }
}
