/** A change of the source that breaks one rule, where a client notices it. */
export interface Difference {
  readonly id: string;
  /** What clients rely on. */
  readonly rule: string;
  /** Where the rule comes from, as in docs/fidelity.md. */
  readonly source: 'specification' | 'record' | 'chosen';
  /** The operation whose response shows it. Others may show it as well. */
  readonly operation: string;
  /** Path in src. */
  readonly file: string;
  /** Text that occurs in the file once. */
  readonly find: string;
  readonly replace: string;
}
