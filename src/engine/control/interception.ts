import { type Static, Type } from 'typebox';
import { record } from '../schema/schema.js';

const interceptionInfo = record('Interception', {
  names: Type.Array(Type.String(), { description: 'The intercepted hosts' }),
  port: Type.Integer({ description: 'Port of 127.0.0.1 that serves them, with TLS and without' }),
  proxy: Type.String({ description: 'URL of the proxy, with its password' }),
  javaPort: Type.Integer({ description: 'Port of the proxy for Java, which cannot send a password' }),
  folder: Type.String({ description: 'Folder of the certificates' }),
  only: Type.Boolean({ description: 'Whether connections to other hosts are refused' }),
});
/** A running interception, as programs on the same machine reach it. */
export interface InterceptionInfo extends Static<typeof interceptionInfo> {}
export const InterceptionInfo = Type.Unsafe<InterceptionInfo>(interceptionInfo);
