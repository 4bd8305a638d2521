// Made from docs/openapi.json by `npm run docs`.
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
         *     - Tier and email are shown to the user alone; the rest is what anybody sees.
         *     - A username has no @.
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
         *     - These are the runs of every val that the caller wrote.
         *     - error picks failed runs (true) or successful ones (false); source picks by what started them.
         *     - since is exclusive, until inclusive; both are about the start of a run.
         *     - A run has the shape of 2023: later that year the service stopped answering here, and never published another.
         *
         *     **Chosen here, since nobody says**
         *
         *     - The latest start comes first, as in every list.
         *     - A run that no other one started is its own parent, since clients take parentId for an id in any case.
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
         *     - error, source, since and until are taken as in the list of all runs.
         *
         *     **Chosen here, since nobody says**
         *
         *     - Runs are for the author of the val, as in the list of all runs; somebody else's val is a 404.
         *     - The latest start comes first, as there.
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
         *     - Beside what lists show there are the emails, logs, return value and arguments of the run.
         *
         *     **Chosen here, since nobody says**
         *
         *     - Runs are for the author of the val, as in lists; somebody else's run is a 404.
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
         *     - Items are vals as in every list.
         *
         *     **Chosen here, since nobody says**
         *
         *     - The latest like comes first, as feeds have it; vals liked at the same moment are in the order of their ids, so that pages are stable.
         *     - A val that has become private to somebody else is not listed, since the caller may not read it.
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
         *     - Comments given or received, by relationship (any is a value of it), limit, offset, since and until.
         *
         *     **From the public record of the service**
         *
         *     - relationship is any, given or received, and any by default.
         *     - Given are those that the caller wrote, received those on vals that the caller wrote.
         *     - since is exclusive, until inclusive.
         *
         *     **Chosen here, since nobody says**
         *
         *     - The latest comes first, as in every list.
         *     - A comment on one's own val is both given and received, as both are true of it, and listed once under any.
         *     - Comments on a val that has become private to somebody else are not listed, since the caller may not read it.
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
         *     - Clients send limit, offset, since and until, which are all taken.
         *     - reference is the val that imports, dependsOn the val of the caller.
         *
         *     **Chosen here, since nobody says**
         *
         *     - A reference is an import from esm.town in the latest version of a val, and as old as that version: what a reader of the code would say.
         *     - The latest comes first, as in every list.
         *     - Importers that are unlisted or private show to their own author alone, as in other lists of vals.
         *     - A val's import of itself counts for nothing, since it depends on no other val.
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
         *     - Gives the val of that name new code, or creates it.
         *
         *     **From the public record of the service**
         *
         *     - Only vals of the caller count, and the case of the name does not.
         *     - The answer is 200 in either case.
         *     - An update makes a version and keeps the rest of the val.
         *
         *     **Chosen here, since nobody says**
         *
         *     - The answer is the val, as in earlier documents; later ones leave it open.
         *     - Names are held to the same rule as with POST, or this would make vals that POST refuses.
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
         *     - Only code is needed; type may come as well, and other fields are ignored.
         *     - The answer is 200 and the val, at version 0.
         *     - A name belongs to one val of its author, whatever its case. A val without one is given an adjective, a colour and an animal.
         *     - Without more the val is private and a script.
         *
         *     **Chosen here, since nobody says**
         *
         *     - A name that is taken is a 409, as in later APIs of the service.
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
         *     - Reads a val by its id, with a token or without.
         *
         *     **From the public record of the service**
         *
         *     - Public and unlisted vals are for anybody, private ones for their author.
         *     - An id is a UUID of any version; anything else is a 400.
         *
         *     **Chosen here, since nobody says**
         *
         *     - Somebody else's private val is a 404, the same as none, so that nothing tells that it exists.
         */
        get: operations["getVal"];
        /**
         * Change the name, readme, privacy or type of a val
         * @description **From the public record of the service**
         *
         *     - Any of the settings may come; those left out keep their values, and an empty object is fine.
         *     - Clients wait for just a 204.
         *     - code is ignored: it has versions.
         *
         *     **Chosen here, since nobody says**
         *
         *     - A name that another val of the author has is a 409, as on creation.
         *     - Somebody else's val is a 404, as on deletion.
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
         *     - The answer is 204, and 404 the second time.
         *     - The name can be given again.
         *
         *     **Chosen here, since nobody says**
         *
         *     - Versions, runs, likes and comments go with the val, since nothing leads to them any more.
         *     - Somebody else's val is a 404, the one error that documents name here.
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
         * List vals of a user: public ones, or all for the user
         * @description **From the public record of the service**
         *
         *     - Public vals for anybody; for the user, all of them.
         *
         *     **Chosen here, since nobody says**
         *
         *     - The latest comes first, as in every list.
         *     - A user that does not exist is a 404, as on the route of the user.
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
         *     - Only public vals are found.
         *     - A query has 1 to 512 characters.
         *
         *     **Chosen here, since nobody says**
         *
         *     - Each word of the query must occur in name, readme or code, whatever its case: the simplest search that finds what people look for.
         *     - First come vals of that name, then those whose name begins with it or holds it, then those with it in the readme, then in the code; the latest first of each.
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
         *     - limit and offset are taken, as in every list.
         *     - The latest comes first; there is no code in this list.
         *     - A token is needed for private vals alone.
         */
        get: operations["getValVersions"];
        put?: never;
        /**
         * Create a new version of a val
         * @description **From the specification**
         *
         *     - The body has the new code; the path names the val, whatever valId in the body says.
         *     - It adds to the list of versions.
         *
         *     **From the public record of the service**
         *
         *     - The answer is 201 and the val with its new version.
         *     - name, readme, privacy and type may come along.
         *
         *     **Chosen here, since nobody says**
         *
         *     - Settings that come along are given to the val; those left out keep their values, since editors send the code alone.
         *     - There is a new version even if the code is the old one, since creating one adds to the list. Its number is one above the highest that was ever given.
         *     - Somebody else's val is a 404, the one error that documents name here.
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
         *     - Reads one version, by its number.
         *
         *     **From the public record of the service**
         *
         *     - The answer is the val, with number, code and time of the version.
         *     - The SDK sends limit and offset, which are ignored.
         *     - A deleted version is a 404.
         *
         *     **Chosen here, since nobody says**
         *
         *     - All the rest is as the val is now, since settings belong to the val and not to a version.
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
         *     - The answer is 204. Other versions keep their numbers.
         *
         *     **Chosen here, since nobody says**
         *
         *     - Numbers are not given again, so that a number means the same code for ever.
         *     - When the latest goes, the val shows the one before: nothing forbids that.
         *     - The only version of a val stays, with a 400, since a val has code.
         *     - Somebody else's val is a 404, the one error that documents name here.
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
         *     - What anybody may see of a user: neither email nor tier.
         *     - An id is a UUID; anything else is a 400.
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
         *     - The same answer as by id.
         *     - Some clients write an @ before the name.
         *     - The case of a name does not count.
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
         *     - The same answer as by id, and private vals are for their author alone.
         *     - The case of a name does not count; an @ before the author is passed over.
         *
         *     **Chosen here, since nobody says**
         *
         *     - An author that does not exist is the same 404 as a val that does not: the route is about the val.
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
            /** @description The latest, or the one that was asked for */
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
                 * @description What code imports it by
                 */
                module: string;
                /**
                 * Format: uri
                 * @description Where vals of the types http, httpnext and express answer
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
            /** @description FST_ERR_VALIDATION for a request that does not fit its schema */
            code?: string;
        };
        ExtendedVal: {
            name: string;
            /** Format: uuid */
            id: string;
            /** @description The latest, or the one that was asked for */
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
                 * @description What code imports it by
                 */
                module: string;
                /**
                 * Format: uri
                 * @description Where vals of the types http, httpnext and express answer
                 */
                endpoint?: string;
            };
            author: components["schemas"]["Author"] | null;
            likeCount: number;
            /** @description Public vals that import it */
            referenceCount: number;
            /** @description Markdown */
            readme: string | null;
            /**
             * Format: date-time
             * @description When the version was made that is shown
             */
            versionCreatedAt: string;
        };
        FullRun: {
            /** Format: uuid */
            id: string;
            /** @description null for a success */
            error: (string | {
                [key: string]: components["schemas"]["Json"];
            }) | null;
            /**
             * Format: uuid
             * @description The run that started this one, or this one
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
            emails: components["schemas"]["Json"][];
            logs: components["schemas"]["Json"][];
            returnValue: components["schemas"]["Json"];
            args: components["schemas"]["Json"][];
        };
        Json: string | number | boolean | null | components["schemas"]["Json"][] | {
            [key: string]: components["schemas"]["Json"];
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
             * @description Missing on the last page
             */
            next?: string;
            /**
             * Format: uri
             * @description Missing on the first page
             */
            prev?: string;
        };
        Reference: {
            /** @description The val that imports */
            reference: components["schemas"]["Referent"];
            /** @description The val that is imported */
            dependsOn: components["schemas"]["Referent"];
            /**
             * Format: date-time
             * @description When the version was made that imports
             */
            referencedAt: string;
        };
        Referent: {
            /** Format: uuid */
            id: string;
            username: string | null;
            author_id: string | null;
            name: string;
        };
        Run: {
            /** Format: uuid */
            id: string;
            /** @description null for a success */
            error: (string | {
                [key: string]: components["schemas"]["Json"];
            }) | null;
            /**
             * Format: uuid
             * @description The run that started this one, or this one
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
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
                /** @description Items on a page */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                /** @description Only what came after this time */
                since?: string;
                /** @description Only what came before or at this time */
                until?: string;
                /** @description Only failed runs (true) or successful ones (false) */
                error?: boolean;
                /** @description Only runs started in one of these ways, separated by commas */
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
                /** @description Items on a page */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                /** @description Only what came after this time */
                since?: string;
                /** @description Only what came before or at this time */
                until?: string;
                /** @description Only failed runs (true) or successful ones (false) */
                error?: boolean;
                /** @description Only runs started in one of these ways, separated by commas */
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is missing, or not for the caller to see or change */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is missing, or not for the caller to see or change */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
                /** @description Items on a page */
                limit?: number;
                /** @description Items to skip */
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
                /** @description Items on a page */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                /** @description Only what came after this time */
                since?: string;
                /** @description Only what came before or at this time */
                until?: string;
                /** @description Comments that the caller wrote (given), on vals of the caller (received), or either */
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
                /** @description Items on a page */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                /** @description Only what came after this time */
                since?: string;
                /** @description Only what came before or at this time */
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
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
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Another val of the author has this name */
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
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is missing, or not for the caller to see or change */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is missing, or not for the caller to see or change */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Another val of the author has this name */
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
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is missing, or not for the caller to see or change */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
                /** @description Items on a page */
                limit?: number;
                /** @description Items to skip */
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is missing, or not for the caller to see or change */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
                /** @description Items on a page */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                /** @description Words to look for */
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
                /** @description Items on a page */
                limit?: number;
                /** @description Items to skip */
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is missing, or not for the caller to see or change */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is missing, or not for the caller to see or change */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Another val of the author has this name */
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
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is missing, or not for the caller to see or change */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is missing, or not for the caller to see or change */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
            /** @description The request does not fit its schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is missing, or not for the caller to see or change */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is missing, or not for the caller to see or change */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
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
            /** @description No token where one is needed, or one that nobody holds */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is missing, or not for the caller to see or change */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate limit is used up. Only with the option rateLimit */
            429: {
                headers: {
                    /** @description Seconds until requests are let through again */
                    "retry-after"?: number;
                    /** @description Requests that a window lets through */
                    "x-ratelimit-limit"?: number;
                    /** @description Requests left in this window */
                    "x-ratelimit-remaining"?: number;
                    /** @description Seconds until the window ends */
                    "x-ratelimit-reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
