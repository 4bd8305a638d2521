// Generated from docs/openapi.json by `npm run docs`.
export interface paths {
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get profile information for the current user
         * @description **From the specification**
         *
         *     - The profile of the caller.
         *
         *     **From the public record of the service**
         *
         *     - Only this route includes tier and email; the rest is public.
         *     - The username has no @.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs of the current user
         * @description **From the specification**
         *
         *     - Runs of the caller, by error, limit, offset, since and until.
         *
         *     **From the public record of the service**
         *
         *     - The list contains the runs of all vals of the caller.
         *     - error selects failed (true) or successful (false) runs; source selects runs by how they were started.
         *     - since is exclusive, until inclusive; both apply to the start of a run.
         *     - A run has the shape of 2023. Later that year the service removed this operation, and it published no other shape.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - The latest start comes first, as in every list.
         *     - The parentId of a run without a parent is the id of the run, since clients require an id.
         */
        get: operations["getMeRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vals/{val_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs of a val
         * @description **From the specification**
         *
         *     - Runs of a val, by limit and offset, for callers with a token.
         *
         *     **From the public record of the service**
         *
         *     - error, source, since and until work as in the list of all runs.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - Only the author of the val can list its runs, as in the list of all runs; another user's val is a 404.
         *     - The latest start comes first, as in every list.
         */
        get: operations["getValRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a run by id
         * @description **From the public record of the service**
         *
         *     - In addition to the keys in lists, a run has its emails, logs, return value and arguments.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - Only the author of the val can read its runs, as in lists; a run of another user's val is a 404.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/likes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List vals liked by the current user
         * @description **From the specification**
         *
         *     - Vals that the caller likes, by limit and offset.
         *
         *     **From the public record of the service**
         *
         *     - Items have the shape of vals in lists.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - The newest like comes first, as in feeds. Likes with the same time are sorted by the id of the val, so pages are stable.
         *     - A private val of another user is not listed, since the caller may not read it.
         */
        get: operations["getMeLikes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List comments related to the current user, either given or received
         * @description **From the specification**
         *
         *     - Comments given or received, filtered by relationship (with the value any), limit, offset, since and until.
         *
         *     **From the public record of the service**
         *
         *     - relationship is any (the default), given or received.
         *     - Given comments are by the caller; received ones are on vals of the caller.
         *     - since is exclusive, until inclusive.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - The newest comes first, as in every list.
         *     - A comment by the author of the val is both given and received; any lists it once.
         *     - Comments on a private val of another user are not listed, since the caller may not read the val.
         */
        get: operations["getMeComments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/references": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List vals that depend on any of the user's vals
         * @description **From the specification**
         *
         *     - Vals that depend on any of the caller's vals. It names no parameters.
         *
         *     **From the public record of the service**
         *
         *     - limit, offset, since and until are supported; clients send them.
         *     - reference is the importing val, dependsOn the val of the caller.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - A reference is an import from esm.town in the latest version of a val. Its time is the time of that version.
         *     - The newest comes first, as in every list.
         *     - Unlisted and private importers are visible only to their author, as in other lists of vals.
         *     - A val that imports itself is not a reference, since it depends on no other val.
         */
        get: operations["getMeReferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create or update a val by name and code
         * @description **From the specification**
         *
         *     - Updates the code of the val with that name, or creates it.
         *
         *     **From the public record of the service**
         *
         *     - Only vals of the caller match, and names are case-insensitive.
         *     - The response is 200 for an update and for a new val.
         *     - An update adds a version and leaves the rest of the val unchanged.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - The response is the val, as in earlier documents; later ones do not say.
         *     - The rule for names is that of POST; otherwise PUT could create vals that POST rejects.
         */
        put: operations["putVals"];
        /**
         * Create a new val
         * @description **From the specification**
         *
         *     - Creates a val from name, code, readme and privacy.
         *
         *     **From the public record of the service**
         *
         *     - Only code is required. type is accepted as well, and other fields are ignored.
         *     - The response is 200 with the val, at version 0.
         *     - Names are unique per author and case-insensitive. The default name is an adjective, a color and an animal.
         *     - By default the val is a private script.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - A name in use is a 409, as in later APIs of the service.
         */
        post: operations["postVals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vals/{val_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a val by id
         * @description **From the specification**
         *
         *     - Returns a val by its id, with or without a token.
         *
         *     **From the public record of the service**
         *
         *     - Every client can read public and unlisted vals; only the author can read private ones.
         *     - An id is a UUID of any version; other values are a 400.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - Another user's private val is the same 404 as an unknown id, so the response does not reveal that it exists.
         */
        get: operations["getVal"];
        /**
         * Change the name, readme, privacy or type of a val
         * @description **From the public record of the service**
         *
         *     - Every setting is optional, and settings left out stay unchanged. An empty object is valid.
         *     - Clients expect exactly a 204.
         *     - code is ignored, since it has versions.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - A name in use by another val of the author is a 409, as with POST.
         *     - Another user's val is a 404, as with DELETE.
         */
        put: operations["putVal"];
        post?: never;
        /**
         * Delete a val
         * @description **From the specification**
         *
         *     - Deletes a val.
         *
         *     **From the public record of the service**
         *
         *     - The response is 204, and 404 the second time.
         *     - The name can be used again.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - Versions, runs, likes and comments of the val are deleted too, since no route leads to them.
         *     - Another user's val is a 404, the only error in the documents.
         */
        delete: operations["deleteVal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}/vals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List public vals of a user, or all vals for the user
         * @description **From the public record of the service**
         *
         *     - Clients see the public vals of a user; the user sees all.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - The newest comes first, as in every list.
         *     - An unknown user is a 404, as on the route of the user.
         */
        get: operations["getUserVals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search/vals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search public vals by name, readme and code
         * @description **From the public record of the service**
         *
         *     - The search returns public vals only.
         *     - A query has 1 to 512 characters.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - Each word of the query must occur in name, readme or code; case is ignored.
         *     - Results are ranked: equal names, names that begin with the query, names that contain it, readmes, code. The newest of each come first.
         */
        get: operations["getSearchVals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vals/{val_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List versions of a val
         * @description **From the specification**
         *
         *     - Versions of a val.
         *
         *     **From the public record of the service**
         *
         *     - limit and offset are supported, as in every list.
         *     - The newest comes first, and items have no code.
         *     - Only private vals require a token.
         */
        get: operations["getValVersions"];
        put?: never;
        /**
         * Create a new version of a val
         * @description **From the specification**
         *
         *     - The body has the new code. The path selects the val; valId in the body is ignored.
         *     - The new version is added to the list of versions.
         *
         *     **From the public record of the service**
         *
         *     - The response is 201 with the val at its new version.
         *     - name, readme, privacy and type are accepted as well.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - Settings in the body change the val. Settings left out stay unchanged, since editors send only the code.
         *     - Equal code creates a new version too, since the operation adds to the list. The number is one above the highest one ever used.
         *     - Another user's val is a 404, the only error in the documents.
         */
        post: operations["postValVersions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vals/{val_id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one version of a val
         * @description **From the specification**
         *
         *     - Returns one version by its number.
         *
         *     **From the public record of the service**
         *
         *     - The response is the val with the number, code and time of the version.
         *     - The SDK sends limit and offset, which are ignored.
         *     - A deleted version is a 404.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - All other keys are those of the current val, since settings belong to the val.
         */
        get: operations["getValVersion"];
        put?: never;
        post?: never;
        /**
         * Delete one version of a val
         * @description **From the specification**
         *
         *     - Deletes one version.
         *
         *     **From the public record of the service**
         *
         *     - The response is 204. The numbers of other versions stay unchanged.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - Numbers are not used again, so a number always means the same code.
         *     - After the latest version is deleted, the previous one is the latest.
         *     - Deleting the only version is a 400, since a val must have code.
         *     - Another user's val is a 404, the only error in the documents.
         */
        delete: operations["deleteValVersion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user by id
         * @description **From the public record of the service**
         *
         *     - Only the public keys of a user: neither email nor tier.
         *     - An id is a UUID; other values are a 400.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alias/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user by username
         * @description **From the public record of the service**
         *
         *     - The response is the same as by id.
         *     - An @ before the name is ignored; some clients send one.
         *     - Names are case-insensitive.
         */
        get: operations["getAlias"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alias/{username}/{val_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a val by author and name
         * @description **From the public record of the service**
         *
         *     - The response is the same as by id. Only the author can read a private val.
         *     - Names are case-insensitive, and an @ before the author is ignored.
         *
         *     **Chosen by this project, where no source says**
         *
         *     - An unknown author is the same 404 as an unknown val, since the route returns vals.
         */
        get: operations["getAliasVal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Author: {
            /** Format: uuid */
            id: string;
            username: string | null;
        };
        BasicVal: {
            name: string;
            /** Format: uuid */
            id: string;
            /** @description The latest version, or the requested one */
            version: number;
            code: string | null;
            /** @description Whether privacy is public */
            public: boolean;
            /** Format: date-time */
            createdAt: string;
            /** @enum {string} */
            privacy: "public" | "unlisted" | "private";
            /** @enum {string} */
            type: "interval" | "http" | "express" | "email" | "script" | "rpc" | "httpnext";
            /** Format: uri */
            url: string;
            links: {
                /** Format: uri */
                self: string;
                /** Format: uri */
                versions: string;
                /**
                 * Format: uri
                 * @description The address for imports
                 */
                module: string;
                /**
                 * Format: uri
                 * @description The endpoint of vals of the types http, httpnext and express
                 */
                endpoint?: string;
            };
            author: components["schemas"]["Author"] | null;
        };
        Comment: {
            /** @description Markdown */
            comment: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            createdAt: string;
            author: components["schemas"]["Author"];
            val: {
                name: string;
                /** Format: uuid */
                id: string;
                version: number;
                /** @enum {string} */
                privacy: "public" | "unlisted" | "private";
                author: components["schemas"]["Author"] | null;
            };
        };
        Error: {
            /** @description A sentence for people */
            message: string;
            /** @description The reason phrase of the status */
            error: string;
            statusCode: number;
            /** @description FST_ERR_VALIDATION for a request that does not match its schema */
            code?: string;
        };
        ExtendedVal: {
            name: string;
            /** Format: uuid */
            id: string;
            /** @description The latest version, or the requested one */
            version: number;
            code: string | null;
            /** @description Whether privacy is public */
            public: boolean;
            /** Format: date-time */
            createdAt: string;
            /** @enum {string} */
            privacy: "public" | "unlisted" | "private";
            /** @enum {string} */
            type: "interval" | "http" | "express" | "email" | "script" | "rpc" | "httpnext";
            /** Format: uri */
            url: string;
            links: {
                /** Format: uri */
                self: string;
                /** Format: uri */
                versions: string;
                /**
                 * Format: uri
                 * @description The address for imports
                 */
                module: string;
                /**
                 * Format: uri
                 * @description The endpoint of vals of the types http, httpnext and express
                 */
                endpoint?: string;
            };
            author: components["schemas"]["Author"] | null;
            likeCount: number;
            /** @description Number of public vals that import it */
            referenceCount: number;
            /** @description Markdown */
            readme: string | null;
            /**
             * Format: date-time
             * @description Creation time of the version shown
             */
            versionCreatedAt: string;
        };
        FullRun: {
            /** Format: uuid */
            id: string;
            /** @description null for a success */
            error: string | {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description The run that started this one, or its own id
             */
            parentId: string;
            /** Format: date-time */
            runStartAt: string;
            /** @description null while it goes on */
            runEndAt: string | null;
            val: {
                /** Format: uuid */
                id: string;
                name: string;
                author: components["schemas"]["Author"];
                /** Format: uuid */
                author_id: string;
                username: string | null;
                public: boolean;
                /** @enum {string} */
                privacy: "public" | "unlisted" | "private";
                version: number;
            };
            emails: unknown[];
            logs: unknown[];
            /** @description Any JSON value */
            returnValue: unknown;
            args: unknown[];
        };
        Me: {
            /** Format: uuid */
            id: string;
            bio: string | null;
            username: string | null;
            profileImageUrl: string | null;
            /** Format: uri */
            url: string;
            links: {
                /** Format: uri */
                self: string;
            };
            tier: ("free" | "pro") | null;
            email: string;
        };
        NewCode: {
            name?: string;
            readme?: string;
            /** @enum {string} */
            privacy?: "public" | "unlisted" | "private";
            /** @enum {string} */
            type?: "httpnext" | "http" | "script" | "email";
            code: string;
        };
        PageLinks: {
            /** Format: uri */
            self: string;
            /**
             * Format: uri
             * @description Absent on the last page
             */
            next?: string;
            /**
             * Format: uri
             * @description Absent on the first page
             */
            prev?: string;
        };
        Reference: {
            /** @description The importing val */
            reference: {
                /** Format: uuid */
                id: string;
                username: string | null;
                author_id: string | null;
                name: string;
            };
            /** @description The imported val */
            dependsOn: {
                /** Format: uuid */
                id: string;
                username: string | null;
                author_id: string | null;
                name: string;
            };
            /**
             * Format: date-time
             * @description Creation time of the importing version
             */
            referencedAt: string;
        };
        Run: {
            /** Format: uuid */
            id: string;
            /** @description null for a success */
            error: string | {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description The run that started this one, or its own id
             */
            parentId: string;
            /** Format: date-time */
            runStartAt: string;
            /** @description null while it goes on */
            runEndAt: string | null;
            val: {
                /** Format: uuid */
                id: string;
                name: string;
                author: components["schemas"]["Author"];
                /** Format: uuid */
                author_id: string;
                username: string | null;
                public: boolean;
                /** @enum {string} */
                privacy: "public" | "unlisted" | "private";
                version: number;
            };
        };
        User: {
            /** Format: uuid */
            id: string;
            bio: string | null;
            username: string | null;
            profileImageUrl: string | null;
            /** Format: uri */
            url: string;
            links: {
                /** Format: uri */
                self: string;
            };
        };
        ValSettings: {
            name?: string;
            readme?: string;
            /** @enum {string} */
            privacy?: "public" | "unlisted" | "private";
            /** @enum {string} */
            type?: "httpnext" | "http" | "script" | "email";
        };
        Version: {
            /** Format: uuid */
            val_id: string;
            version: number;
            /** Format: date-time */
            createdAt: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMeRuns: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Only items after this time */
                since?: string;
                /** @description Only items before or at this time */
                until?: string;
                /** @description Only failed runs (true) or successful ones (false) */
                error?: boolean;
                /** @description Only runs with one of these sources, separated by commas */
                source?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Run"][];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getValRuns: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Only items after this time */
                since?: string;
                /** @description Only items before or at this time */
                until?: string;
                /** @description Only failed runs (true) or successful ones (false) */
                error?: boolean;
                /** @description Only runs with one of these sources, separated by commas */
                source?: string;
            };
            header?: never;
            path: {
                /** @description Id of a val */
                val_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Run"][];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FullRun"];
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMeLikes: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BasicVal"][];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMeComments: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Only items after this time */
                since?: string;
                /** @description Only items before or at this time */
                until?: string;
                /** @description Comments by the caller (given), on vals of the caller (received), or either */
                relationship?: "any" | "received" | "given";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Comment"][];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMeReferences: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Only items after this time */
                since?: string;
                /** @description Only items before or at this time */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Reference"][];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putVals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    code: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtendedVal"];
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postVals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCode"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtendedVal"];
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The author has another val with this name */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getVal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a val */
                val_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtendedVal"];
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putVal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a val */
                val_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValSettings"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The author has another val with this name */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteVal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a val */
                val_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUserVals: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of a user */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BasicVal"][];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSearchVals: {
        parameters: {
            query: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Words to search for */
                query: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BasicVal"][];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getValVersions: {
        parameters: {
            query?: {
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description Number of items to skip */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of a val */
                val_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Version"][];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postValVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a val */
                val_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCode"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtendedVal"];
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The author has another val with this name */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getValVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a val */
                val_id: string;
                /** @description Number of a version */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtendedVal"];
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteValVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a val */
                val_id: string;
                /** @description Number of a version */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a user */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAlias: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of a user, with or without an @ */
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAliasVal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of a user, with or without an @ */
                username: string;
                /** @description Name of a val */
                val_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtendedVal"];
                };
            };
            /** @description The request does not match its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or unknown token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found, or not accessible to the caller, or the sandbox of the request is closed */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until the next request is allowed */
                    "retry-after"?: number;
                    /** @description Maximum number of requests in a window */
                    "x-ratelimit-limit"?: number;
                    /** @description Number of requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Sandbox limit reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
