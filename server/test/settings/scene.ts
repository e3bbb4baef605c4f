import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { allScopes, createApiKey } from '../../src/modules/access/public.ts'
import { sendTest } from '../../src/modules/deliveries/public.ts'
import { inviteMember } from '../../src/modules/invitations/public.ts'
import { createListing } from '../../src/modules/listings/public.ts'
import { approve, createApp, listGrants } from '../../src/modules/oauth/public.ts'
import { createConnection, createSender, createTemplate } from '../../src/modules/senders/public.ts'
import { checkWebhookUrl, createWebhook } from '../../src/modules/webhooks/public.ts'
import { type MemberRow, type Role, createMember } from '../../src/modules/workspaces/public.ts'
import type { TestApp, TestWorkspace } from '../support/app.ts'
import { type Browser, type Visited, personIn, signedInBrowser } from '../support/browser.ts'
import { routesOf } from '../support/routes.ts'

/** A signed-in member's browser, in their workspace. */
export interface User extends Browser {
  member: MemberRow
  workspace: TestWorkspace
  /** `/settings/<workspace>`. */
  base: string
}

export async function userIn(app: TestApp, workspace: TestWorkspace, role: Role = 'owner'): Promise<User> {
  const person = await personIn(workspace, role)
  const visitor = await signedInBrowser(app, person)
  return { ...visitor, member: person.member, workspace, base: `/settings/${workspace.id}` }
}

/** An owner in a workspace of their own. */
export const anOwner = async (app: TestApp): Promise<User> => userIn(app, await app.workspace())

/** Ids of a workspace's records, by the parameter names in paths. */
export type Records = Record<string, string>

/** Creates one of each kind of record that the pages show. `nameOf` returns the name for each. */
export async function makeRecords(
  app: TestApp,
  { id, ctx }: TestWorkspace,
  { member }: Pick<User, 'member'>,
  nameOf = (noun: string) => `A name of the ${noun}`,
): Promise<Records> {
  const { directory } = app.runtime.database
  const draft = { name: nameOf('key'), scopes: allScopes, expires_in_days: 90 }
  const key = await createApiKey(ctx, draft)
  const redirectUri = 'https://app.example/'
  const { app: made } = await createApp(ctx, {
    name: nameOf('app'),
    redirect_uris: [redirectUri],
    scopes: allScopes,
    confidential: true,
  })
  const approver = await createMember(ctx, {
    name: nameOf('approver'),
    email: `approver-of-${id}@gable.example`,
    role: 'admin',
  })
  const asked = { app: made, redirectUri, scopes: allScopes, challenge: 'x'.repeat(43), state: undefined }
  await approve(ctx, approver.id, asked)
  const [grant] = await listGrants(directory, id)
  const address = await checkWebhookUrl(ctx, 'https://hooks.example.com/gable')
  const { row: webhook } = await createWebhook(ctx, address, { description: nameOf('webhook') })
  const delivery = await sendTest(ctx, webhook.id)
  const guest = { name: nameOf('guest'), email: `guest-of-${id}@gable.example`, role: 'agent' as const }
  const { invitation } = await inviteMember(ctx, guest)
  await createConnection(ctx, { provider: 'email', name: nameOf('account'), account: 'mail', secret: 'x' })
  const signature = await createConnection(ctx, {
    provider: 'documenso',
    name: nameOf('signature provider'),
    account: 'Ours',
    secret: 'token secret',
  })
  const voice = await createConnection(ctx, {
    provider: 'retell',
    name: nameOf('voice provider'),
    account: 'agent_1',
    secret: 'key',
  })
  const sender = await createSender(ctx, {
    kind: '10dlc',
    address: '+13125550188',
    name: nameOf('sender'),
  })
  const listing = await createListing(ctx, {
    list_agent_id: member.id,
    street_name: nameOf('street'),
    public_remarks: 'A bright home near the best schools.',
  })
  await createTemplate(ctx, { name: 'hello', language: 'en_US', category: 'UTILITY', body: nameOf('text') })
  return {
    workspace: id,
    key: key.row.id,
    app: made.id,
    connection: grant?.id ?? '',
    webhook: webhook.id,
    delivery: delivery.id,
    invitation: invitation.id,
    member: member.id,
    sender: sender.id,
    listing: listing.id,
    signature: signature.id,
    voice: voice.id,
  }
}

/** The path of a page for these records. `others` replaces records by parameter name. */
export const pathFor = ({ path }: Pick<PlainRoute, 'path'>, records: Records, others: Records = {}): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const id = others[name] ?? records[name]
    if (id === undefined) throw new Error(`The scene has no ${name} for ${path}.`)
    return id
  })

/** All pages of a workspace, except its first one, which agents can open too. */
export const pagesOf = (app: TestApp): PlainRoute[] =>
  routesOf(app).filter(({ path }) => path.startsWith('/settings/:workspace/'))

/** The text of a page as a person sees it, without markup and with entities decoded. */
export const textOf = ({ body }: Visited): string =>
  unescaped(body.replace(/^.*<body>/s, '').replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ')

/** The text with entities decoded. */
export const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** The errors that a page shows, by field. */
export const issuesIn = ({ body }: Visited): Record<string, string> =>
  Object.fromEntries(
    [...body.matchAll(/<p class="fault" id="([^"]+)-fault">([^<]*)<\/p>/g)].map(
      ([, name = '', fault = '']) => [name, unescaped(fault)],
    ),
  )

/** The secret that a page shows. */
export const secretIn = ({ body }: Visited): string =>
  unescaped(/<code class="secret"[^>]*>([^<]+)<\/code>/.exec(body)?.[1] ?? '')
