import module from 'node:module';

/** A hook of Node.js: the query of a module that is run again passes to the files that it imports by their paths. */
const HOOK = `export function resolve(specifier, context, next) {
  const [query] = /[?]again=.*$/.exec(context.parentURL ?? '') ?? [];
  const pass = (found) =>
    query && /^file:[^?#]*$/.test(found.url) && !found.url.includes('/node_modules/') ? { ...found, url: found.url + query } : found;
  const found = next(specifier, context);
  return found instanceof Promise ? found.then(pass) : pass(found);
}`;

/** Lets a module that is run again run its imports again as well. It stays for the life of the process. */
export async function rerunImports(): Promise<void> {
  const address = `data:text/javascript,${encodeURIComponent(HOOK)}`;
  const registerHooks: unknown = Reflect.get(module, 'registerHooks');
  // From Node.js 22.15. Earlier versions run hooks on another thread.
  if (typeof registerHooks === 'function') registerHooks({ resolve: (await import(address)).resolve });
  else module.register(address);
}
