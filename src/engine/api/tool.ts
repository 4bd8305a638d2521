import { type Static, type TSchema, Type } from 'typebox';
import { ApiError, BodyError, RefusalError } from '../lib/errors.js';
import { compile } from '../schema/validator.js';
import { type Explained, type Plan, toPlan } from './plan.js';
import { type ApiContext, listOpenKeys, type Route, type RouteTypes } from './route.js';
import { SerializedJson, serialize } from './serialize.js';
import { describeArguments, explainArguments } from './tool-errors.js';
import { findCallError, readArguments, toToolRoute } from './tool-route.js';

/** What a call does, as the Model Context Protocol has it: `readOnlyHint`. */
export type Hint = 'destructive' | 'idempotent' | 'openWorld';

/** A tool of the emulated service, which agents call by the Model Context Protocol. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** The schema of the arguments: an object. */
  readonly input: TSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
  /** What no public source has: the whole tool, or some arguments. */
  readonly guessed: true | readonly string[];
  /** The route that a call is. Its name is `tool NAME`, and its body the message of the protocol. */
  readonly route: Route;
}

/** The tools of a service. They are loaded with the first request for them. */
export interface ToolServer {
  /** Path of the endpoint: `/mcp`. */
  readonly path: string;
  readonly names: readonly string[];
  /** The names of the routes by which a client finds out how to log in, before it calls a tool. */
  readonly discovery?: readonly string[];
  /** What an agent learns when it connects. */
  readonly instructions: string;
  load(): Promise<readonly Tool[]>;
}

/** What a tool returns: its data, with a text that agents read in their place. */
export class ToolText {
  readonly data: object;
  readonly text: string;
  /** Whether a part of the call has failed, after one that has changed something. */
  readonly isError: boolean;

  constructor(data: object, text: string, isError = false) {
    this.data = data;
    this.text = text;
    this.isError = isError;
  }
}

export type ToolResult = object | ToolText;

export type ToolContext<T extends RouteTypes, I extends TSchema> = Omit<ApiContext<T>, 'caller' | 'state'> & {
  readonly caller: T['caller'];
  readonly args: Static<I>;
};

export interface ToolSpec<I extends TSchema> {
  readonly input: I;
  /** @default none. A tool that does not write is `readOnly` */
  readonly hints?: readonly Hint[];
  /** @default nothing */
  readonly guessed?: Tool['guessed'];
}

interface ToolHandler {
  handle(context: ApiContext & { readonly args: unknown }): unknown;
}

/** Returns what defines the tools of a service. A handler writes if the tool `writes`, and returns a plan if it `plans`. */
export const toolFor =
  <T extends RouteTypes, E = unknown>() =>
  <const N extends string, I extends TSchema, const W extends boolean = false, const F extends boolean = false>(
    name: N,
    description: string,
    spec: ToolSpec<I> &
      Pick<Route, 'scope' | 'writeScope'> &
      E & {
        readonly writes?: W;
        readonly plans?: F;
        handle(
          context: ToolContext<T, I> & { readonly state: W extends true ? T['draft'] : T['state'] },
        ): F extends true ? Plan<ToolResult, T['draft']> : ToolResult;
      },
  ): Tool & { readonly name: N } => {
    const { input, hints = [], guessed = [], writes = false, plans = false, scope, writeScope } = spec;
    const isValid = compile(input, 'strict');
    const handler: ToolHandler = spec;
    const openKeys = listOpenKeys(input);
    const route: Route = {
      ...{ name: toToolRoute(name), id: name, method: 'POST', path: '', summary: description, auth: 'required' },
      ...{ response: Type.Unknown(), status: 200, errors: [], validators: {}, findError: findCallError },
      ...(scope !== undefined && { scope }),
      ...(writeScope !== undefined && { writeScope }),
      ...(openKeys && { openKeys, isMessage: true }),
      plans: !writes,
      handle(context) {
        const args = readArguments(context.body);
        if (!isValid(args)) {
          const { errors } = isValid;
          const message = `Input validation error: Invalid arguments for tool ${name}: ${describeArguments(errors)}`;
          const known = Object.keys(Object(input).properties);
          const { reason, suggestion } = explainArguments(errors, args, known, openKeys ?? known);
          throw toolError(message, new RefusalError(400, message, reason, suggestion));
        }
        const result = attempt(() => handler.handle({ ...context, args }));
        if (writes) return toResult(result);
        const plan = plans ? toPlan(result) : { read: { value: result } };
        if ('read' in plan) return { read: explain(plan.read) };
        return { write: (draft) => explain(attempt(() => plan.write(draft))) } satisfies Plan;
      },
    };
    const annotations = {
      readOnlyHint: !writes && !plans,
      ...Object.fromEntries(hints.map((hint) => [`${hint}Hint`, true])),
    };
    return { name, description, input, guessed, annotations, route };
  };

const explain = ({ value, ...noted }: Explained): Explained => ({ value: toResult(value), ...noted });

/** Turns an error of a rule into a result, which changes nothing. A token that is refused, and a defect, stay what they are. */
function attempt<V>(act: () => V): V {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401 || error.status >= 500) throw error;
    throw toolError(toToolMessage(error), error);
  }
}

/** Returns the message of an error for a call, which has no parts of a request. */
export const toToolMessage = ({ message }: ApiError): string => message.replace(/^(?:querystring|body|params)\//, '');

/** A call that has failed: a response 200 with `isError`. @param cause what the journal explains */
const toolError = (message: string, cause?: ApiError): BodyError =>
  new BodyError(200, message, { content: [{ type: 'text', text: message }], isError: true }, undefined, cause);

/** Makes the result of a call: the data as text, and as they are. */
function toResult(value: unknown): SerializedJson {
  const { data, text = undefined, isError = false } = value instanceof ToolText ? value : { data: value };
  const json = serialize(data);
  const content = JSON.stringify([{ type: 'text', text: text ?? json }]);
  return new SerializedJson(`{"content":${content},"structuredContent":${json}${isError ? ',"isError":true' : ''}}`);
}
