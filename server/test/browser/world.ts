import { readMails } from '../../src/modules/mail/public.ts'
import { createApp } from '../../src/modules/oauth/public.ts'
import { inviteMember, letSignIn } from '../../src/modules/signin/public.ts'
import { type Role, createMember } from '../../src/modules/workspaces/public.ts'
import type { TestWorkspace } from '../support/app.ts'
import { type Person, aPassword, browser } from '../support/browser.ts'
import { freshDatabase } from '../support/database.ts'
import { consentPath } from './paths.ts'
import { type Scene, type Visit, openScene } from './scene.ts'

/** A brokerage with its people, its app and its mails, all of them called by the same name. */
export interface World extends AsyncDisposable {
  name: string
  scene: Scene
  owner: Person
  /** Whoever is at a browser: nobody known, the owner, somebody with several workspaces, an agent. */
  visits: Readonly<Record<Who, Visit>>
  /** Paths that lead to pages with something on them. */
  paths: Readonly<Record<'consent' | 'reset' | 'invitation' | 'known' | 'own', string>>
}

export type Who = 'nobody' | 'owner' | 'several' | 'agent'

let worlds = 0

const redirectUri = 'https://mirror.example/callback'

export async function openWorld(name: string): Promise<World> {
  await using opened = new AsyncDisposableStack()
  // With a worker, who puts mails into the trap.
  const scene = opened.use(
    await openScene({ role: 'all', databaseUrl: await freshDatabase(`world_${++worlds}_${process.pid}`) }),
  )
  const { app } = scene
  const workspace = await app.workspace(name)
  const second = await app.workspace(name)
  async function newPerson({ ctx }: TestWorkspace, who: Who, role: Role): Promise<Person> {
    const email = `${who}-of-the-house@gable.example`
    const member = await createMember(ctx, { name, email, role })
    await letSignIn(ctx, member, aPassword)
    return { email, password: aPassword, member }
  }
  const owner = await newPerson(workspace, 'owner', 'owner')
  const several = await newPerson(workspace, 'several', 'admin')
  await newPerson(second, 'several', 'owner')
  const agent = await newPerson(workspace, 'agent', 'agent')
  const { app: mirror } = await createApp(workspace.ctx, {
    name,
    redirectUris: [redirectUri],
    scopes: ['contacts:read:pii', 'contacts:write', 'leads:write', 'messages:send'],
    confidential: true,
  })
  const pathOf = (link: string) => link.slice(app.url.length)
  const invite = async (email: string) =>
    pathOf((await inviteMember(second.ctx, { name, email, role: 'agent' }, app.url)).link)
  await browser(app).submit('/sign-in/forgot', { email: owner.email })
  const [reset] = await readMails(app.house)
  const paths = {
    consent: consentPath(mirror.id, redirectUri),
    reset: pathOf(/http\S+/.exec(reset?.mail?.text ?? '')?.[0] ?? ''),
    invitation: await invite('somebody-new@gable.example'),
    known: await invite(agent.email),
    own: await invite(owner.email),
  }
  const visits = {
    nobody: await scene.visit(),
    owner: await scene.visitAs(owner),
    several: await scene.visitAs(several),
    agent: await scene.visitAs(agent),
  }
  const all = opened.move()
  return { name, scene, owner, visits, paths, [Symbol.asyncDispose]: () => all.disposeAsync() }
}
