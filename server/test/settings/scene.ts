import { allScopes, createApiKey } from '../../src/modules/access/public.ts'
import { sendTest } from '../../src/modules/deliveries/public.ts'
import { approve, createApp, listGrants } from '../../src/modules/oauth/public.ts'
import { inviteMember } from '../../src/modules/signin/public.ts'
import { checkAddress, createWebhook } from '../../src/modules/webhooks/public.ts'
import { type MemberRow, type Role, createMember } from '../../src/modules/workspaces/public.ts'
import type { TestApp, TestWorkspace } from '../support/app.ts'
import { type Browser, type Visited, personIn, signedInBrowser } from '../support/browser.ts'

/** Somebody at their browser, in a workspace of theirs. */
export interface Somebody extends Browser {
  member: MemberRow
  workspace: TestWorkspace
  /** `/settings/<workspace>`. */
  base: string
}

export async function somebodyIn(
  app: TestApp,
  workspace: TestWorkspace,
  role: Role = 'owner',
): Promise<Somebody> {
  const person = await personIn(workspace, role)
  const visitor = await signedInBrowser(app, person)
  return { ...visitor, member: person.member, workspace, base: `/settings/${workspace.id}` }
}

/** An owner in a workspace of their own. */
export const anOwner = async (app: TestApp): Promise<Somebody> => somebodyIn(app, await app.workspace())

/** Ids of a workspace's records, by the names that paths have for them. */
export type Records = Record<string, string>

/** One of each that pages speak of. With `called`, each by another name than its own. */
export async function makeRecords(
  app: TestApp,
  { id, ctx }: TestWorkspace,
  { member }: Pick<Somebody, 'member'>,
  called: (name: string) => string = (name) => name,
): Promise<Records> {
  const { directory } = app.house.database
  const key = await createApiKey(
    directory,
    { workspaceId: id, name: called('A key'), scopes: allScopes, lifetimeDays: 90 },
    app.clock.now(),
  )
  const made = await createApp(ctx, {
    name: called('An app'),
    redirectUris: ['https://app.example/'],
    scopes: allScopes,
    confidential: true,
  })
  const [redirectUri = ''] = made.app.redirect_uris
  const asked = { app: made.app, redirectUri, scopes: allScopes, challenge: 'x'.repeat(43), state: undefined }
  const approver = await createMember(ctx, {
    name: called('An approver'),
    email: 'approver@gable.example',
    role: 'admin',
  })
  await approve(ctx, approver.id, asked, app.url)
  const [grant] = await listGrants(directory, id)
  const url = 'https://hooks.example.com/gable'
  const { row: webhook } = await createWebhook(ctx, await checkAddress(ctx, url), {
    description: called('A webhook'),
  })
  const delivery = await sendTest(ctx, webhook.id)
  const { invitation } = await inviteMember(
    ctx,
    { name: called('A guest'), email: 'guest@gable.example', role: 'agent' },
    app.url,
  )
  return {
    workspace: id,
    key: key.row.id,
    app: made.app.id,
    connection: grant?.id ?? '',
    webhook: webhook.id,
    delivery: delivery.id,
    invitation: invitation.id,
    member: member.id,
  }
}

/** The text of a page, as a person sees it: no markup, and entities as what they stand for. */
export const textOf = ({ body }: Visited): string =>
  unescaped(body.replace(/^.*<body>/s, '').replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ')

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** What a page says is wrong with a field, by the field. */
export const faultsIn = ({ body }: Visited): Record<string, string> =>
  Object.fromEntries(
    [...body.matchAll(/<p class="fault" id="([^"]+)-fault">([^<]*)<\/p>/g)].map(
      ([, name = '', fault = '']) => [name, unescaped(fault)],
    ),
  )

/** The secret that a page shows. */
export const secretIn = ({ body }: Visited): string =>
  unescaped(/<code class="secret"[^>]*>([^<]+)<\/code>/.exec(body)?.[1] ?? '')
