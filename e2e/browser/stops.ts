import { pages } from '@gable/server/src/docs/contents.ts'
import type { Visit } from './scene.ts'
import { settingsStops } from './settings-stops.ts'
import { type Stop, rejectedAfter, shownAfter } from './stop.ts'
import type { World } from './world.ts'

const tooLong = `${'x'.repeat(9988)}@x.example`

const toSecondStep = async (visit: Visit, { careful }: World) => {
  await visit.open('/sign-in')
  await visit.fillSignIn(careful)
  await visit.page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
}

/** A worker catches mails. */
const untilMailed = async ({ page }: Visit) => {
  while ((await page.getByRole('link', { name: 'Join' }).count()) === 0) await page.reload()
}

const signIn: Stop[] = [
  { at: '/sign-in', who: 'visitor' },
  {
    at: '/sign-in',
    state: 'rejected',
    who: 'visitor',
    act: rejectedAfter('Sign in', { 'Email address': tooLong, Password: 'not the password' }),
  },
  {
    at: '/sign-in',
    state: 'without cookies',
    who: 'visitor',
    open: (visit) => visit.open('/sign-in?kept=no'),
  },
  { at: '/sign-in/second-step', who: 'visitor', open: toSecondStep },
  {
    at: '/sign-in/second-step',
    state: 'rejected',
    who: 'visitor',
    open: toSecondStep,
    act: rejectedAfter('Sign in', { Code: '000000' }),
  },
  { at: '/sign-in/forgot', who: 'visitor' },
  {
    at: '/sign-in/forgot',
    state: 'sent',
    who: 'visitor',
    act: shownAfter('Check your email', 'Send link', { 'Email address': 'unknown@gable.example' }),
  },
  { at: '/sign-in/reset', who: 'visitor', open: (visit, { paths }) => visit.open(paths.reset) },
  {
    at: '/sign-in/reset',
    state: 'rejected',
    who: 'visitor',
    open: (visit, { paths }) => visit.open(paths.reset),
    act: rejectedAfter('Set password', { 'New password': 'short' }),
  },
  { at: '/sign-in/reset', state: 'spent', who: 'visitor' },
  { at: '/sign-in/confirm', who: 'owner' },
  { at: '/sign-in/confirm', who: 'careful' },
  {
    at: '/sign-in/confirm',
    state: 'rejected',
    who: 'owner',
    act: rejectedAfter('Confirm', { Password: 'not the password' }),
  },
]

const invitations: Stop[] = [
  {
    at: '/invitation',
    who: 'visitor',
    named: true,
    open: (visit, { paths }) => visit.open(paths.invitation),
  },
  {
    at: '/invitation',
    state: 'rejected',
    who: 'visitor',
    named: true,
    open: (visit, { paths }) => visit.open(paths.invitation),
    act: rejectedAfter('Accept invitation', { Password: 'short' }),
  },
  {
    at: '/invitation',
    state: 'for a person who can already sign in',
    who: 'visitor',
    named: true,
    open: (visit, { paths }) => visit.open(paths.known),
  },
  { at: '/invitation', who: 'owner', named: true, open: (visit, { paths }) => visit.open(paths.own) },
  {
    at: '/invitation',
    state: 'for another person',
    who: 'owner',
    named: true,
    open: (visit, { paths }) => visit.open(paths.known),
  },
  { at: '/invitation', state: 'spent', who: 'visitor' },
]

const unsubscribing: Stop[] = [
  {
    at: '/unsubscribe/:token',
    who: 'visitor',
    named: true,
    open: (visit, { paths }) => visit.open(paths.unsubscribe),
  },
  {
    at: '/unsubscribe/:token',
    state: 'done',
    who: 'visitor',
    named: true,
    open: (visit, { paths }) => visit.open(paths.unsubscribe),
    act: shownAfter('You are unsubscribed', 'Unsubscribe'),
  },
]

const account: Stop[] = [
  { at: '/account', who: 'owner', named: true },
  { at: '/account', who: 'careful', named: true },
  { at: '/account/password', who: 'owner' },
  {
    at: '/account/password',
    state: 'rejected',
    who: 'owner',
    act: rejectedAfter('Change password', { 'New password': 'short' }),
  },
  { at: '/account/passkeys', who: 'owner' },
  { at: '/account/passkeys', who: 'careful', named: 'briefly' },
  { at: '/account/second-step', who: 'owner' },
  {
    at: '/account/second-step',
    state: 'set up',
    who: 'owner',
    act: shownAfter('Set up two-factor authentication', 'Set up'),
  },
  {
    at: '/account/second-step',
    state: 'rejected',
    who: 'owner',
    async act(visit) {
      await shownAfter('Set up two-factor authentication', 'Set up')(visit)
      await rejectedAfter('Turn on', { Code: '000000' })(visit)
    },
  },
  { at: '/account/second-step', who: 'careful' },
  {
    at: '/account/second-step',
    state: 'with new codes',
    who: 'careful',
    act: shownAfter('Your recovery codes', 'Generate new recovery codes'),
  },
]

const notFound: Stop[] = [
  { at: '/settings/*', who: 'owner' },
  { at: '/account/*', who: 'owner' },
  { at: '/sign-in/*', who: 'visitor' },
]

const consent = (visit: Visit, { paths }: World) => visit.open(paths.consent)

const apps: Stop[] = [
  { at: '/oauth/authorize', who: 'owner', named: true, open: consent },
  { at: '/oauth/authorize', who: 'several', named: true, open: consent },
  { at: '/oauth/authorize', who: 'agent', named: true, open: consent },
  { at: '/oauth/authorize', state: 'by a broken link', who: 'owner' },
]

const mails: Stop[] = [
  { at: '/mail', who: 'visitor' },
  {
    at: '/mail/:catcher',
    who: 'visitor',
    named: true,
    open: (visit, { paths }) => visit.open(paths.catcher),
    act: untilMailed,
  },
  {
    at: '/mail/:catcher/:id',
    who: 'visitor',
    named: true,
    async open(visit, { paths }) {
      await visit.open(paths.catcher)
      await untilMailed(visit)
      await visit.page.getByRole('link', { name: 'Join' }).first().click()
      await visit.page.getByRole('link', { name: 'All caught emails' }).waitFor()
    },
  },
]

const docs: Stop[] = [
  { at: '/docs/', who: 'visitor' },
  {
    at: '/docs/',
    state: 'with found pages',
    who: 'visitor',
    async act({ page }) {
      await page.getByRole('searchbox').fill('rate')
      await page.getByRole('link', { name: 'Rate limits' }).first().waitFor()
    },
  },
  {
    at: '/docs/',
    state: 'with nothing found',
    who: 'visitor',
    async act({ page }) {
      await page.getByRole('searchbox').fill('no such thing')
      await page.getByText('Nothing found').waitFor()
    },
  },
  ...pages.map(({ path }): Stop => ({ at: path, who: 'visitor' })),
]

/** Every page that people get to see. Add every new page here; a test finds missing ones. */
export const stops: readonly Stop[] = [
  ...signIn,
  ...invitations,
  ...unsubscribing,
  ...account,
  ...apps,
  ...mails,
  ...docs,
  ...notFound,
  ...settingsStops,
]
