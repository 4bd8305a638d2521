/** Something that is asked for by a name or id that nothing has. */
export class UnknownNameError extends Error {
  override name = 'UnknownNameError';
}
