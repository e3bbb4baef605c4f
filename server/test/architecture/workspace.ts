import { type SqlTemplate, templatesIn } from './queries.ts'
import type { Source } from './source.ts'

const byHash = 'Finds what a secret stands for, by its hash.'
const ofAnApp = 'An app acts for workspaces other than its own.'
const locked = 'The caller has locked the row.'
const aJob = 'A job, for all workspaces.'

/**
 * Statements that do not name the workspace of a table that has one, by file and the function that holds them.
 * Row-level security does not apply to the directory, so there only the statement separates workspaces. Statements
 * that tests execute on workspace tables are also parsed: see statements.ts.
 */
export const acrossWorkspaces: Readonly<Record<string, string>> = {
  'access/queries.ts authenticateApiKeys': byHash,
  'access/queries.ts findApiKey': 'For the command line, which finds the workspace of a key.',
  'access/queries.ts recordUse': aJob,
  'apps/queries.ts deletePreviousClientSecrets': aJob,
  'apps/queries.ts findApp': ofAnApp,
  'apps/queries.ts findAppState': ofAnApp,
  'apps/queries.ts findClient': byHash,
  'apps/queries.ts lockApp': ofAnApp,
  'apps/queries.ts markDeleted': locked,
  'apps/queries.ts saveApp': locked,
  'apps/queries.ts saveNewClientSecret': locked,
  'dispatcher/queue-queries.ts claimDeliveries': 'The worker serves all workspaces.',
  'dispatcher/queue-queries.ts releaseEndpointLeases': 'The worker serves all workspaces.',
  'dispatcher/queue-queries.ts settleDeliveries': 'The worker serves all workspaces.',
  'dispatcher/queue-queries.ts findNextClaimAcrossWorkspaces': 'The worker serves all workspaces.',
  'engine/lane-queries.ts findNextLaneAcrossWorkspaces': 'The engine serves all workspaces.',
  'engine/lane-queries.ts freeLanesAcrossWorkspaces': 'The engine serves all workspaces.',
  'engine/lane-queries.ts claimLanesAcrossWorkspaces': 'The engine serves all workspaces.',
  'engine/lane-queries.ts listDueLanesAcrossWorkspaces': 'The engine serves all workspaces.',
  'engine/lane-queries.ts listInboxesAcrossWorkspaces': 'The engine serves all workspaces.',
  'ledger/ledger-queries.ts listUnchainedAcrossWorkspaces':
    'One worker chains the ledgers of all workspaces.',
  'queue/queries.ts pairs': 'A fragment of statements that serve all workspaces.',
  'queue/queries.ts findNextDueAcrossWorkspaces': 'The worker serves all workspaces.',
  'queue/queries.ts listDueSendersAcrossWorkspaces': 'The worker serves all workspaces.',
  'queue/queries.ts listUnclearAcrossWorkspaces': 'The worker serves all workspaces.',
  'feed/feed-queries.ts findFeedByHash': byHash,
  'push/connection-queries.ts lockPasswordsSealedOtherwise': aJob,
  'grants/queries.ts listConnectedWorkspaceIds': ofAnApp,
  'grants/queries.ts listLiveGrantsIn': 'Of the workspaces of the person who is asked for consent.',
  'grants/queries.ts listLiveGrantsOfApp': ofAnApp,
  'grants/queries.ts named': 'A fragment; each statement with it adds the workspace.',
  'grants/queries.ts recordGrantUse': aJob,
  'grants/queries.ts saveGrant': locked,
  'invitations/queries.ts deleteOldInvitations': aJob,
  'invitations/queries.ts findInvitation': byHash,
  'invitations/queries.ts markAccepted': 'The caller has found it by its hash.',
  'leads/queries.ts consented': 'A fragment; each statement with it adds the workspace.',
  'people/queries.ts listMemberships': 'Of one person.',
  'senders/connection-queries.ts deletePreviousCredentials': aJob,
  'senders/connection-queries.ts findSealedConnection':
    'A callback names the connection before the workspace is known.',
  'senders/connection-queries.ts listSimulatedConnections': 'When the server starts, for all workspaces.',
  'senders/connection-queries.ts listConnectionIds': aJob,
  'senders/connection-queries.ts listOwnServers': 'When the server starts, for all workspaces.',
  'senders/connection-queries.ts listStoppedAcrossWorkspaces': aJob,
  'senders/connection-queries.ts lockOutdatedCredentials': aJob,
  'senders/connection-queries.ts saveResealed': locked,
  'tokens/authenticator-queries.ts authenticateAccessTokens': byHash,
  'tokens/queries.ts findAccessToken': byHash,
  'tokens/queries.ts codeWithGrant': byHash,
  'tokens/queries.ts lockCode': byHash,
  'tokens/queries.ts refreshWithFamily': byHash,
  'tokens/queries.ts lockRefreshToken': byHash,
}

/** An app is found through the grant that a workspace gave it. */
const throughGrant = /\bjoin oauth_apps a on a\.id = g\.app_id/g
const bound = /\bworkspace_id\s*=\s*(?:\$\{|\w+\.workspace_id)/g

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/** Templates that use these tables more often than they name the workspace. */
export function withoutWorkspace(sources: readonly Source[], tables: readonly string[]): SqlTemplate[] {
  const use = new RegExp(
    String.raw`\b(?:from|join|update|using)\s+(?:only\s+)?(?:${tables.join('|')})\b`,
    'gi',
  )
  return sources.flatMap((source) => {
    const templates = templatesIn([source])
    const fragments = new Map(templates.map(({ key, text }) => [key.split(' ')[1], text]))
    return templates.filter(({ text }) => {
      const whole = text
        .replaceAll(/\$\{(\w+)[^}]*\}/g, (inserted, name) => fragments.get(name) ?? inserted)
        .replaceAll(throughGrant, '')
      return count(whole, use) > count(whole, bound)
    })
  })
}
