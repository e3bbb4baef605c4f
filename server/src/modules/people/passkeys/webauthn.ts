/** The WebAuthn library, loaded on first use: its hundreds of files would delay every start. */
export const webauthn = () => import('@simplewebauthn/server')
