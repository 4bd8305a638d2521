import type { OpenApiDocument } from '#engine/openapi/types.js';
import { moduleRoutes } from '#vals/projects/modules.control.js';
import { definitions } from '#vals/service/service.collection.js';
import { controlRoutes } from '#vals/service/service.control.js';

/** Operations that the client does not have. */
const OTHERS: ReadonlySet<string> = new Set(
  [...controlRoutes.filter(({ isForPage }) => isForPage), ...moduleRoutes].map(({ id }) => id),
);

/** Writes the tables of the client: the operations of the control API, and the methods that add records. */
export function describeClient({ paths }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      OTHERS.has(operationId)
        ? []
        : `  ${operationId}: '${method.toUpperCase()} ${path.replace(/^\/_emulator\//, '')}',`,
    ),
  );
  const adders = definitions.all.flatMap(({ name, adder }) => (adder === undefined ? [] : `  ${adder}: '${name}',`));
  return `// Written by npm run docs, from docs/openapi-control.json and the collections.
import type { Adders } from '#vals/service/service.collection.js';
import type { ControlOperation } from '#vals/service/service.control.js';

type WithoutPrefix<N> = N extends \`\${infer M} /_emulator/\${infer P}\` ? \`\${M} \${P}\` : never;

/** The method and the path of each operation, by its id, below \`/_emulator/\`. The compiler compares them with the routes. */
export const OPERATIONS = {
${operations.join('\n')}
} as const satisfies { readonly [O in ControlOperation as O['id']]: WithoutPrefix<O['name']> };

/** The collection to which each method of \`add\` adds. */
export const ADDERS = {
${adders.join('\n')}
} as const satisfies Adders;
`;
}
