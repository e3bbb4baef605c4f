import type { Visit } from './scene.ts'
import type { Who, World } from './world.ts'

/** A page in one of its states, and how somebody gets to it. */
export interface Stop {
  name: string
  who: Who
  reach(visit: Visit, world: World): Promise<unknown>
  /** Whether the name that everything has in this world shows on it, or its beginning. */
  named?: true | 'briefly'
}

const button = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true })

async function reachSecondStep(visit: Visit, { careful }: World): Promise<void> {
  await visit.open('/sign-in')
  await visit.fillSignIn(careful)
  await visit.page.getByRole('heading', { name: 'Second step' }).waitFor()
}

async function reachSetUp(visit: Visit): Promise<void> {
  await visit.open('/account/second-step')
  await button(visit, 'Set it up').click()
  await visit.page.getByRole('heading', { name: 'Set up the second step' }).waitFor()
}

/** Every page that people get to see. Whoever adds a page adds it here. */
export const stops: readonly Stop[] = [
  { name: 'sign in', who: 'nobody', reach: (visit) => visit.open('/sign-in') },
  {
    name: 'sign in, refused',
    who: 'nobody',
    async reach(visit) {
      await visit.open('/sign-in')
      await visit.fillSignIn({ email: `${'x'.repeat(9988)}@x.example`, password: 'not the password' })
      await visit.page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'sign in, second step',
    who: 'nobody',
    reach: reachSecondStep,
  },
  {
    name: 'sign in, second step, refused',
    who: 'nobody',
    async reach(visit, world) {
      await reachSecondStep(visit, world)
      await visit.page.getByRole('textbox', { name: 'Code' }).fill('000000')
      await button(visit, 'Sign in').click()
      await visit.page.locator('.fault').waitFor()
    },
  },
  { name: 'sign in, without cookies', who: 'nobody', reach: (visit) => visit.open('/sign-in?kept=no') },
  { name: 'forgotten password', who: 'nobody', reach: (visit) => visit.open('/sign-in/forgot') },
  {
    name: 'forgotten password, sent',
    who: 'nobody',
    async reach(visit) {
      await visit.open('/sign-in/forgot')
      await visit.page.getByLabel('E-mail address').fill('nobody@gable.example')
      await button(visit, 'Send the mail').click()
      await visit.page.getByRole('heading', { name: 'Look into your mail' }).waitFor()
    },
  },
  { name: 'new password', who: 'nobody', reach: (visit, { paths }) => visit.open(paths.reset) },
  {
    name: 'new password, refused',
    who: 'nobody',
    async reach(visit, { paths }) {
      await visit.open(paths.reset)
      await visit.page.getByLabel('New password').fill('short')
      await button(visit, 'Set the password').click()
      await visit.page.locator('.fault').waitFor()
    },
  },
  { name: 'new password, spent', who: 'nobody', reach: (visit) => visit.open('/sign-in/reset?token=spent') },
  { name: 'confirm', who: 'owner', reach: (visit) => visit.open('/sign-in/confirm') },
  {
    name: 'confirm, refused',
    who: 'owner',
    async reach(visit) {
      await visit.open('/sign-in/confirm')
      await visit.page.getByLabel('Password').fill('not the password')
      await button(visit, 'Go on').click()
      await visit.page.getByRole('alert').waitFor()
    },
  },
  { name: 'confirm, with all there is', who: 'careful', reach: (visit) => visit.open('/sign-in/confirm') },
  { name: 'account', who: 'owner', named: true, reach: (visit) => visit.open('/account') },
  {
    name: 'account of whoever is careful',
    who: 'careful',
    named: true,
    reach: (visit) => visit.open('/account'),
  },
  { name: 'password', who: 'owner', reach: (visit) => visit.open('/account/password') },
  {
    name: 'password, refused',
    who: 'owner',
    async reach(visit) {
      await visit.open('/account/password')
      await visit.page.getByLabel('New password').fill('short')
      await button(visit, 'Change it').click()
      await visit.page.locator('.fault').waitFor()
    },
  },
  { name: 'passkeys, none', who: 'owner', reach: (visit) => visit.open('/account/passkeys') },
  { name: 'passkeys', who: 'careful', named: 'briefly', reach: (visit) => visit.open('/account/passkeys') },
  { name: 'second step, off', who: 'owner', reach: (visit) => visit.open('/account/second-step') },
  { name: 'second step, set up', who: 'owner', reach: reachSetUp },
  {
    name: 'second step, set up, refused',
    who: 'owner',
    async reach(visit) {
      await reachSetUp(visit)
      await visit.page.getByRole('textbox', { name: 'Code' }).fill('000000')
      await button(visit, 'Turn it on').click()
      await visit.page.locator('.fault').waitFor()
    },
  },
  { name: 'second step, on', who: 'careful', reach: (visit) => visit.open('/account/second-step') },
  {
    name: 'recovery codes',
    who: 'careful',
    async reach(visit) {
      await visit.open('/account/second-step')
      await button(visit, 'Make new recovery codes').click()
      await visit.page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    },
  },
  {
    name: 'invitation of somebody new',
    who: 'nobody',
    named: true,
    reach: (visit, { paths }) => visit.open(paths.invitation),
  },
  {
    name: 'invitation of somebody new, refused',
    who: 'nobody',
    named: true,
    async reach(visit, { paths }) {
      await visit.open(paths.invitation)
      await visit.page.getByLabel('Password').fill('short')
      await button(visit, 'Accept').click()
      await visit.page.locator('.fault').waitFor()
    },
  },
  {
    name: 'invitation of somebody who signs in already',
    who: 'nobody',
    named: true,
    reach: (visit, { paths }) => visit.open(paths.known),
  },
  {
    name: 'invitation of whoever is signed in',
    who: 'owner',
    named: true,
    reach: (visit, { paths }) => visit.open(paths.own),
  },
  {
    name: 'invitation of somebody else',
    who: 'owner',
    named: true,
    reach: (visit, { paths }) => visit.open(paths.known),
  },
  { name: 'invitation, spent', who: 'nobody', reach: (visit) => visit.open('/invitation?token=spent') },
  { name: 'consent', who: 'owner', named: true, reach: (visit, { paths }) => visit.open(paths.consent) },
  {
    name: 'consent, in one of several workspaces',
    who: 'several',
    named: true,
    reach: (visit, { paths }) => visit.open(paths.consent),
  },
  {
    name: 'consent, of somebody who may not',
    who: 'agent',
    named: true,
    reach: (visit, { paths }) => visit.open(paths.consent),
  },
  {
    name: 'consent, to a broken link',
    who: 'owner',
    reach: (visit) => visit.open('/oauth/authorize?client_id=x'),
  },
  {
    name: 'mails',
    who: 'nobody',
    named: true,
    async reach(visit) {
      // A worker puts them there.
      do await visit.open('/mail')
      while ((await visit.page.getByRole('link', { name: 'An invitation' }).count()) === 0)
    },
  },
  {
    name: 'mail',
    who: 'nobody',
    named: true,
    async reach(visit, world) {
      await stopOf('mails').reach(visit, world)
      await visit.page.getByRole('link', { name: 'An invitation' }).first().click()
      await visit.page.getByRole('link', { name: 'All mails in the trap' }).waitFor()
    },
  },
]

const stopOf = (name: string): Stop => {
  const stop = stops.find((one) => one.name === name)
  if (stop === undefined) throw new Error(`There is no page called ${name}.`)
  return stop
}
