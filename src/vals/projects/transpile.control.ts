import { createRequire } from 'node:module';
import { ApiError, reasonFor } from '#engine/lib/errors.js';

/** By the ending of a media type: `application/typescript`. */
const LANGUAGES: Readonly<Record<string, 'ts' | 'tsx' | 'jsx'>> = { typescript: 'ts', tsx: 'tsx', jsx: 'jsx' };

const languageOf = (type: string) => LANGUAGES[/^\w+\/(\w+)/.exec(type)?.[1] ?? ''];

/** Whether code of a media type is none that a browser runs. */
export const needsTranspiler = (type: string): boolean => languageOf(type) !== undefined;

/** Whether a client takes TypeScript: Deno does, and who asks for it. */
export function takesTypeScript(userAgent: string | undefined, accept: string | undefined): boolean {
  if (accept !== undefined && /\b(?:type|java)script\b/.test(accept)) return /\btypescript\b/.test(accept);
  return userAgent?.startsWith('Deno/') === true;
}

/**
 * Makes JavaScript of TypeScript and JSX. Imports stay as they are.
 * @param name of the module, for errors
 * @param type media type of the code
 * @throws ApiError 501 without the package, 400 for code with errors of syntax
 */
export function transpile(name: string, code: string, type: string): string {
  const { transformSync } = loadTranspiler();
  // Without a pragma, an element is a call of React, as Deno has it.
  const runtime = /@jsxImportSource\b/.test(code) ? 'automatic' : 'classic';
  const { code: transpiled, errors } = transformSync(name, code, {
    lang: languageOf(type) ?? 'js',
    sourceType: 'module',
    jsx: { runtime },
  });
  const [problem] = errors;
  if (problem) throw new ApiError(400, `${name}: ${problem.message}\n${problem.codeframe ?? ''}`.trim());
  return transpiled;
}

/** The package is optional: most programs read modules by Deno. */
function loadTranspiler(): typeof import('oxc-transform') {
  try {
    // In a \`try\`, so that a bundler of a program does without the package.
    return createRequire(import.meta.url)('oxc-transform');
  } catch (error) {
    const advice =
      'npm install -D oxc-transform. Deno gets TypeScript; so does a request with Accept: application/typescript';
    throw new ApiError(
      501,
      `JavaScript of TypeScript needs a package (${reasonFor(error).replace(/\n.*/s, '')}): ${advice}.`,
    );
  }
}
