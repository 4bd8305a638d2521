// The API reference: Swagger UI over the OpenAPI documents of this emulator, or of the sandbox of the address.

const isControl = new URLSearchParams(location.search).get('api') === 'control';
const name = isControl ? 'openapi-control.json' : 'openapi.json';
document.querySelector(`[data-document="${name}"]`).setAttribute('aria-current', 'page');

const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

const ui = globalThis.SwaggerUIBundle({
  url: `../${name}`,
  domNode: document.getElementById('reference'),
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  showExtensions: true,
  tryItOutEnabled: true,
  // Its default sends the document to a service.
  validatorUrl: null,
  onComplete: isControl ? undefined : authorize,
});

/** Sends requests as the first user, until another token is chosen. */
async function authorize() {
  const response = await fetch('../users');
  const [user] = response.ok ? await response.json() : [];
  if (user) ui.preauthorizeApiKey('token', user.token);
}
