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
         * @description Unlike the profile of another user, it has the tier and the email address.
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
         * @description Returns the runs of all vals of the caller, the latest start first.
         */
        get: operations["listMyRuns"];
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
         * @description Returns the runs of one val of the caller, the latest start first.
         */
        get: operations["listValRuns"];
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
         * @description Adds emails, logs, return value and arguments to what lists of runs show. Only the author of the val can read it.
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
         * @description Returns the vals, the newest like first.
         */
        get: operations["listMyLikes"];
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
         * @description Returns the newest comment first. `relationship` selects the comments that the caller wrote or received.
         */
        get: operations["listMyComments"];
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
         * @description Returns each import of a val of the caller by another val, the newest first.
         */
        get: operations["listMyReferences"];
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
         * @description Adds a version to the val of the caller with this name, or creates the val.
         */
        put: operations["upsertVal"];
        /**
         * Create a new val
         * @description Only `code` is required. A name that another val of the caller has is a 409.
         */
        post: operations["createVal"];
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
         * @description Only the author can read a private val.
         */
        get: operations["getVal"];
        /**
         * Change the name, readme, privacy or type of a val
         * @description Settings that are left out stay unchanged. To change the code, create a version.
         */
        put: operations["updateVal"];
        post?: never;
        /**
         * Delete a val
         * @description Deletes the val with its versions, runs, likes and comments. Its name can be used again.
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
         * @description Returns all vals to the user, and the public ones to others, the newest first.
         */
        get: operations["listUserVals"];
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
         * @description Each word must occur in the name, the readme or the code. Equal names come first.
         */
        get: operations["searchVals"];
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
         * @description Returns numbers and times, the newest first. Get one version for its code.
         */
        get: operations["listValVersions"];
        put?: never;
        /**
         * Create a new version of a val
         * @description Returns the val at its new version. Settings in the body change the val.
         */
        post: operations["createValVersion"];
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
         * @description Returns the val with the number, the code and the time of this version.
         */
        get: operations["getValVersion"];
        put?: never;
        post?: never;
        /**
         * Delete one version of a val
         * @description Other versions keep their numbers. The only version of a val cannot be deleted.
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
         * @description Returns the public profile.
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
         * @description Names are case-insensitive, with or without an @.
         */
        get: operations["getUserByName"];
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
         * @description Names are case-insensitive. Only the author can read a private val.
         */
        get: operations["getValByAlias"];
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
        ApiError: {
            /** @description A sentence for people */
            message: string;
            /** @description The reason phrase of the status */
            error: string;
            statusCode: number;
            /** @description The code of an error of Fastify, such as FST_ERR_VALIDATION */
            code?: string;
        };
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
            privacy: components["schemas"]["Privacy"];
            type: components["schemas"]["ValType"];
            /** Format: uri */
            url: string;
            links: components["schemas"]["ValLinks"];
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
            val: components["schemas"]["CommentVal"];
        };
        CommentPage: {
            data: components["schemas"]["Comment"][];
            links: components["schemas"]["PageLinks"];
        };
        /** @enum {string} */
        CommentRelationship: "any" | "received" | "given";
        CommentVal: {
            name: string;
            /** Format: uuid */
            id: string;
            version: number;
            privacy: components["schemas"]["Privacy"];
            author: components["schemas"]["Author"] | null;
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
            privacy: components["schemas"]["Privacy"];
            type: components["schemas"]["ValType"];
            /** Format: uri */
            url: string;
            links: components["schemas"]["ValLinks"];
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
            error: components["schemas"]["RunError"];
            /**
             * Format: uuid
             * @description The run that started this one, or its own id
             */
            parentId: string;
            /** Format: date-time */
            runStartAt: string;
            /** @description null while it goes on */
            runEndAt: string | null;
            val: components["schemas"]["RunVal"];
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
            links: components["schemas"]["UserLinks"];
            tier: components["schemas"]["Tier"] | null;
            email: string;
        };
        NamedCode: {
            /** @description Unique among the vals of its author, ignoring case */
            name: string;
            /** @description TypeScript */
            code: string;
        };
        NewCode: {
            /** @description Unique among the vals of its author, ignoring case */
            name?: string;
            /** @description Markdown */
            readme?: string;
            privacy?: components["schemas"]["Privacy"];
            type?: components["schemas"]["NewValType"];
            /** @description TypeScript */
            code: string;
        };
        /** @enum {string} */
        NewValType: "httpnext" | "http" | "script" | "email";
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
        /** @enum {string} */
        Privacy: "public" | "unlisted" | "private";
        Reference: {
            /** @description The importing val */
            reference: components["schemas"]["ReferencedVal"];
            /** @description The imported val */
            dependsOn: components["schemas"]["ReferencedVal"];
            /**
             * Format: date-time
             * @description Creation time of the importing version
             */
            referencedAt: string;
        };
        ReferencePage: {
            data: components["schemas"]["Reference"][];
            links: components["schemas"]["PageLinks"];
        };
        ReferencedVal: {
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
            error: components["schemas"]["RunError"];
            /**
             * Format: uuid
             * @description The run that started this one, or its own id
             */
            parentId: string;
            /** Format: date-time */
            runStartAt: string;
            /** @description null while it goes on */
            runEndAt: string | null;
            val: components["schemas"]["RunVal"];
        };
        RunError: string | {
            [key: string]: unknown;
        } | null;
        RunPage: {
            data: components["schemas"]["Run"][];
            links: components["schemas"]["PageLinks"];
        };
        /** @enum {string} */
        RunSource: "ui" | "api" | "interval" | "email";
        RunVal: {
            /** Format: uuid */
            id: string;
            name: string;
            author: components["schemas"]["Author"];
            /** Format: uuid */
            author_id: string;
            username: string | null;
            public: boolean;
            privacy: components["schemas"]["Privacy"];
            version: number;
        };
        /** @enum {string} */
        Tier: "free" | "pro";
        User: {
            /** Format: uuid */
            id: string;
            bio: string | null;
            username: string | null;
            profileImageUrl: string | null;
            /** Format: uri */
            url: string;
            links: components["schemas"]["UserLinks"];
        };
        UserLinks: {
            /** Format: uri */
            self: string;
        };
        ValLinks: {
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
        ValPage: {
            data: components["schemas"]["BasicVal"][];
            links: components["schemas"]["PageLinks"];
        };
        ValSettings: {
            /** @description Unique among the vals of its author, ignoring case */
            name?: string;
            /** @description Markdown */
            readme?: string;
            privacy?: components["schemas"]["Privacy"];
            type?: components["schemas"]["NewValType"];
        };
        /** @enum {string} */
        ValType: "interval" | "http" | "express" | "email" | "script" | "rpc" | "httpnext";
        Version: {
            /** Format: uuid */
            val_id: string;
            version: number;
            /** Format: date-time */
            createdAt: string;
        };
        VersionPage: {
            data: components["schemas"]["Version"][];
            links: components["schemas"]["PageLinks"];
        };
    };
    responses: {
        /** @description The request does not match its schema */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Missing or unknown token */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Not found, not accessible to the caller, or the sandbox of the request is closed */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Another val of the author has this name, or a confirmation is missing */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is too large */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is not application/json */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Rate limit exceeded. Only with the option rateLimit */
        TooManyRequests: {
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
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Sandbox limit reached, or the limit of open streams or of unread bytes */
        ServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
    };
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMyRuns: {
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
                source?: components["schemas"]["RunSource"][];
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
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listValRuns: {
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
                source?: components["schemas"]["RunSource"][];
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
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMyLikes: {
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
                    "application/json": components["schemas"]["ValPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMyComments: {
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
                relationship?: components["schemas"]["CommentRelationship"];
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
                    "application/json": components["schemas"]["CommentPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMyReferences: {
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
                    "application/json": components["schemas"]["ReferencePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    upsertVal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamedCode"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createVal: {
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateVal: {
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUserVals: {
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
                    "application/json": components["schemas"]["ValPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    searchVals: {
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
                    "application/json": components["schemas"]["ValPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listValVersions: {
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
                    "application/json": components["schemas"]["VersionPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createValVersion: {
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserByName: {
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getValByAlias: {
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
