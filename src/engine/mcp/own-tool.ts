import type { Tool } from '@modelcontextprotocol/server';
import type { ControlSettings } from '../control/send.js';

export interface CallContext {
  /** Base URL of the emulator, or of the sandbox that the call names. */
  readonly url: string;
  /** Base URL of the emulator, without a sandbox. */
  readonly root: string;
  readonly settings: Pick<ControlSettings, 'token' | 'fetch' | 'timeout'>;
  /** Whether the client is a program of this machine, whose files it may write. */
  readonly isLocal: boolean;
}

/** A tool of the MCP server itself: more than an operation of the control API. */
export interface OwnTool extends Tool {
  /** Calls it, and resolves to the text of the result. @throws Error that says what would be right */
  call(args: Readonly<Record<string, unknown>>, context: CallContext): Promise<string>;
}
