import { type Resources } from './resources.js';
interface Connection {
    /** Of the server, such as `https://gable.example`. In a page of the server itself, it may be left out. */
    baseUrl?: string;
    /** Milliseconds that each try of a request may take. 30,000 by default. */
    timeout?: number;
    /** Milliseconds after the start of a call in which it may be tried again. 60,000 by default; 0: never. */
    retryFor?: number;
    /** Used instead of the global `fetch`. */
    fetch?: typeof fetch;
}
/** One of the three credentials. */
export type GableOptions = Connection & ({
    apiKey: string;
    accessToken?: never;
    session?: never;
}
/** Of an app: the token, or a function that returns it, such as that of `GableOAuth`. */
 | {
    accessToken: string | AccessToken;
    apiKey?: never;
    session?: never;
}
/** The session of a person who has signed in to this server, for its own pages. */
 | {
    session: Session;
    apiKey?: never;
    accessToken?: never;
});
/** Returns an access token; a newer one than `rejected`, which the server no longer accepts. */
export type AccessToken = (rejected?: string) => Promise<string>;
export interface Session {
    /** The workspace to act in. `me` needs none. */
    workspaceId?: string;
}
/** A client of the API: one method for each operation. */
export type Gable = Resources;
/** `new Gable({ apiKey, baseUrl })`. It holds no connections, and needs no end. */
export declare const Gable: new (options: GableOptions) => Gable;
/** The address without its version and slashes at the end. */
export declare const originOf: (baseUrl: string) => string;
export {};
