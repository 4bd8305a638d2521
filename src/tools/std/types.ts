// What is global on the service: the types in which cron and email vals are written. A program has them by `"types":
// ["val-emulator/std/types"]` in the compiler options of tsconfig.json or deno.json.

declare global {
  /** What a cron val gets. */
  interface Interval {
    /** The start of its last run. Undefined in the first one. */
    readonly lastRunAt: Date | undefined;
  }

  /** What an email val gets. */
  interface Email {
    readonly from: string;
    readonly to: string[];
    readonly cc?: string | string[] | undefined;
    readonly bcc?: string | string[] | undefined;
    readonly subject?: string | undefined;
    readonly text?: string | undefined;
    readonly html?: string | undefined;
    readonly attachments: File[];
    readonly headers: Record<string, string>;
  }
}

export {};
