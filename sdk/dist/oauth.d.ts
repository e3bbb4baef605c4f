import { type AccessToken } from './gable.js';
export interface OAuthOptions {
    /** The public URL of the server, such as `https://gable.example`. Callbacks must name it as their issuer. */
    baseUrl: string;
    clientId: string;
    /** Left out for a public app. */
    clientSecret?: string;
    redirectUri?: string;
    fetch?: typeof fetch;
}
/** The access of an app to one workspace. Store it encrypted. */
export interface Tokens {
    accessToken: string;
    /** Null for client credentials. */
    refreshToken: string | null;
    /** In epoch milliseconds. */
    expiresAt: number;
    scope: string;
    /** The ID of the workspace. */
    tenantId: string;
}
/** An attempt to connect. Store `state` and `verifier` until the callback, where only this person's browser finds them. */
export interface Attempt {
    /** Send the browser here. */
    url: string;
    state: string;
    verifier: string;
}
/** Where the tokens of one workspace are stored. With several processes, `write` and `read` share a database. */
export interface TokenStore {
    read(): Tokens | Promise<Tokens>;
    write(tokens: Tokens): unknown;
}
/** The OAuth 2.0 client of an app. Errors have the codes of OAuth, such as `invalid_grant`. */
export declare class GableOAuth {
    #private;
    constructor(options: OAuthOptions);
    /** Begins to connect a workspace, with PKCE. `scope`: separated by blanks. */
    authorize(scope: string): Promise<Attempt>;
    /**
     * Exchanges the code in the URL of the callback. Throws `access_denied` if the person declined, and
     * `invalid_callback` if the callback does not belong to this attempt.
     */
    connect(callback: string | URL, { state, verifier }: Pick<Attempt, 'state' | 'verifier'>): Promise<Tokens>;
    /** Gets new tokens. A refresh token works once: store the new one before anything else. */
    refresh(refreshToken: string): Promise<Tokens>;
    /** Gets a token without a person, for a workspace that has authorized the app. */
    clientCredentials(tenantId: string, scope?: string): Promise<Tokens>;
    /** Revokes a token: with a refresh token, all tokens of the connection. */
    revoke(token: string): Promise<void>;
    /**
     * Returns the `accessToken` of a `Gable`. It renews the stored tokens when they are about to expire or are rejected;
     * concurrent calls share one renewal, because using a refresh token twice ends the connection.
     */
    accessToken(tokens: Tokens | TokenStore): AccessToken;
}
