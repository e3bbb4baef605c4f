import type { EgressOptions } from '@gable/server/src/kernel/egress/egress.ts'
import { newId } from '@gable/server/src/kernel/ids.ts'
import { inviteMember } from '@gable/server/src/modules/invitations/public.ts'
import { readMails } from '@gable/server/src/modules/mail/public.ts'
import { unsubscribeToken } from '@gable/server/src/modules/messages/email/tokens.ts'
import { createApp } from '@gable/server/src/modules/oauth/public.ts'
import { enablePasswordSignIn } from '@gable/server/src/modules/people/public.ts'
import { type Role, createMember } from '@gable/server/src/modules/workspaces/public.ts'
import { act, asked, turnOnSecondStep } from '@gable/server/test/people/scene.ts'
import { type Records, makeRecords } from '@gable/server/test/settings/scene.ts'
import type { TestWorkspace } from '@gable/server/test/support/app.ts'
import { type CreateOptions, authenticator } from '@gable/server/test/support/authenticator.ts'
import { type Browser, type Person, aPassword, browser } from '@gable/server/test/support/browser.ts'
import { consentPath } from './consent-path.ts'
import { type Scene, type Visit, openScene } from './scene.ts'

/** A brokerage with its people, its app and its mails, all of them called by the same name. */
export interface World extends AsyncDisposable {
  name: string
  /** As much of it as a passkey may be called by. */
  shortName: string
  scene: Scene
  /** Who has a passkey and a second step. */
  careful: Person
  /** Browsers at the server's host name, by the person who uses them. */
  visits: Readonly<Record<Who, Visit>>
  /** Ids of one of each that settings speak of. */
  records: Records
  /** Paths that lead to pages with something on them. */
  paths: Readonly<
    Record<'consent' | 'reset' | 'invitation' | 'known' | 'own' | 'catcher' | 'unsubscribe', string>
  >
}

/** An unknown visitor, an owner, an admin of several workspaces, an agent, an owner with a passkey and a second step. */
export type Who = 'visitor' | 'owner' | 'several' | 'agent' | 'careful'

/** Every host name resolves to this machine, where no server listens. */
const toClosedPort: EgressOptions = {
  allowHttp: 'none',
  allowPrivate: 'loopback',
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
}

const redirectUri = 'https://mirror.example/callback'

export async function openWorld(name: string): Promise<World> {
  await using opened = new AsyncDisposableStack()
  // With a worker, which catches email. Webhooks of the world get no response.
  const scene = opened.use(await openScene({ role: 'all', egress: toClosedPort }))
  const { app } = scene
  const workspace = await app.workspace(name)
  const second = await app.workspace(name)
  async function newPerson({ ctx }: TestWorkspace, who: Who, role: Role): Promise<Person> {
    const email = `${who}-at-lantern@gable.example`
    const member = await createMember(ctx, { name, email, role })
    await enablePasswordSignIn(ctx, member, aPassword)
    return { email, password: aPassword, member }
  }
  const owner = await newPerson(workspace, 'owner', 'owner')
  const several = await newPerson(workspace, 'several', 'admin')
  await newPerson(second, 'several', 'owner')
  const agent = await newPerson(workspace, 'agent', 'agent')
  const careful = await newPerson(workspace, 'careful', 'owner')
  const { app: mirror } = await createApp(workspace.ctx, {
    name,
    redirect_uris: [redirectUri],
    scopes: ['contacts:read:pii', 'contacts:write', 'leads:write', 'messages:send'],
    confidential: true,
  })
  const records = await makeRecords(app, workspace, agent, () => name)
  const pathOf = (link: string) => link.slice(app.url.length)
  const invite = async (email: string) =>
    pathOf((await inviteMember(second.ctx, { name, email, role: 'agent' })).link)
  await browser(app).submit('/sign-in/forgot', { email: owner.email })
  const [reset] = await readMails(app.runtime)
  const paths = {
    consent: consentPath(mirror.id, redirectUri),
    reset: pathOf(/http\S+/.exec(reset?.mail?.text ?? '')?.[0] ?? ''),
    invitation: await invite('new-member@gable.example'),
    known: await invite(agent.email),
    own: await invite(owner.email),
    catcher: pathOf(app.catcherUrl ?? ''),
    unsubscribe: `/unsubscribe/${unsubscribeToken(app.runtime.keys, {
      workspaceId: workspace.id,
      messageId: newId(app.clock.now()),
      address: 'sam@reyes.example',
    })}`,
  }
  const how = { baseURL: scene.byName }
  const shortName = name.slice(0, 60)
  const visits = {
    visitor: await scene.visit(how),
    owner: await scene.visitAs(owner, how),
    several: await scene.visitAs(several, how),
    agent: await scene.visitAs(agent, how),
    careful: await scene.visitWith(await takeCare(scene, careful, shortName), how),
  }
  const all = opened.move()
  return {
    name,
    shortName,
    scene,
    careful,
    records,
    visits,
    paths,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Signs in, adds a passkey of this name, and turns the second step on. */
async function takeCare({ app, byName }: Scene, { email, password }: Person, name: string): Promise<Browser> {
  const user = browser({ url: byName })
  await user.submit('/sign-in', { email, password })
  const options = asked<CreateOptions>(await user.get('/account/passkeys'))
  const credential = authenticator().create(options, byName)
  await act(user, '/account/passkeys', { do: 'add', name, answer: credential })
  await turnOnSecondStep({ app }, user)
  return user
}
