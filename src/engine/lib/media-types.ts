// Not in the module of JSON, which commands load.

export const TYPESCRIPT = 'application/typescript; charset=utf-8';
export const JAVASCRIPT = 'text/javascript; charset=utf-8';
