/** Returns the name of the route of a tool, by which filters and faults select its calls. */
export const toToolRoute = <const N extends string>(name: N): `tool ${N}` => `tool ${name}`;

/** Returns the criteria of the calls of a tool with these arguments, among others. */
export const toCallCriteria = (args: object | undefined): { readonly body?: unknown } =>
  args === undefined ? {} : { body: { params: { arguments: args } } };

/** Lists the routes of a tool server: one for its messages, and one for each tool. */
export const listToolRoutes = ({
  path,
  names,
}: {
  readonly path: string;
  readonly names: readonly string[];
}): string[] => [`POST ${path}`, ...names.map(toToolRoute)];
