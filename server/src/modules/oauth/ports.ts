import type { PlainAnswer, PlainRequest } from '#kernel/http/plain-route.ts'
import type { AuthorizeRequest } from './authorize-request.ts'

/**
 * Asks a person whether an app may act for a workspace of theirs. What they decide goes to approve or deny, each of which
 * answers where their browser goes back to.
 */
export type AskConsent = (request: PlainRequest, asked: AuthorizeRequest) => Promise<PlainAnswer>
