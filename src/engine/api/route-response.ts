/** A response of a route that chooses status and headers: a redirect, a page, or an error that has changed something. */
export class RouteResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;

  constructor(status: number, headers: Readonly<Record<string, string>>, text?: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }
}
