import { newPkce } from '@gable/server/test/oauth/scene.ts'

/** Where an app sends people to be asked. */
export const consentPath = (clientId: string, redirectUri: string, challenge = newPkce().challenge): string =>
  `/oauth/authorize?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'contacts:read:pii leads:write',
    state: 'a state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }).toString()}`
