/**
 * The key that compiled `await using` reads where `Symbol` has no `asyncDispose`: in Jest 29, and in vitest's vm pools on Node 20.
 * The helpers of Oxc, esbuild and Babel do so. The helpers of TypeScript and swc throw.
 */
const COMPILED = Symbol.for('Symbol.asyncDispose');

/** Is closed by `await using`. */
export abstract class Closable {
  abstract close(): void | Promise<void>;

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @internal For `await using` that is compiled. */
  async [COMPILED](): Promise<void> {
    await this.close();
  }
}
