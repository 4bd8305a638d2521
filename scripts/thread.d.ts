/** A plugin of Rolldown and Vite. */
export declare const threadPlugin: { readonly name: string };
