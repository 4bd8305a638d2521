/** A successful response of a control route whose headers depend on the request: a text of another type, a redirect, or a cookie. */
export class Reply {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;

  constructor(headers: Readonly<Record<string, string>>, text?: string) {
    this.headers = headers;
    this.text = text;
  }
}
