/** How authors name the request of an HTTP handler. */
export const REQUEST_NAMES: readonly string[] = ['req', 'req', 'request', 'request', 'r'];

/** How authors name the email of a handler. Not `email`, which is the name of an import. */
export const EMAIL_NAMES: readonly string[] = ['email', 'email', 'e', 'message', 'mail'];

const anonymous = {
  onHttp: 'export default async function (%req%: Request): Promise<Response> {',
  onInterval: 'export default async function (interval: Interval) {',
  onEmail: 'export default async function (%mail%: Email) {',
  end: '}',
};
const named = {
  onHttp: 'export default async function handler(%req%: Request): Promise<Response> {',
  onInterval: 'export default async function run(interval: Interval) {',
  onEmail: 'export default async function receive(%mail%: Email) {',
  end: '}',
};
const arrow = {
  onHttp: 'export default async (%req%: Request): Promise<Response> => {',
  onInterval: 'export default async (interval: Interval) => {',
  onEmail: 'export default async (%mail%: Email) => {',
  end: '};',
};

/** How authors declare handlers. */
export const HANDLERS: readonly Readonly<Record<string, string>>[] = [anonymous, anonymous, named, arrow];
