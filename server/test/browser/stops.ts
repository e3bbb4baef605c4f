import type { Visit } from './scene.ts'
import { settingsStops } from './settings-stops.ts'
import { type Stop, refusedAfter, shownAfter } from './stop.ts'
import type { World } from './world.ts'

const tooLong = `${'x'.repeat(9988)}@x.example`

const toSecondStep = async (visit: Visit, { careful }: World) => {
  await visit.open('/sign-in')
  await visit.fillSignIn(careful)
  await visit.page.getByRole('heading', { name: 'Second step' }).waitFor()
}

/** A worker puts mails into the trap. */
const untilMailed = async ({ page }: Visit) => {
  while ((await page.getByRole('link', { name: 'An invitation' }).count()) === 0) await page.reload()
}

const signIn: Stop[] = [
  { at: '/sign-in', who: 'nobody' },
  {
    at: '/sign-in',
    state: 'refused',
    who: 'nobody',
    act: refusedAfter('Sign in', { 'E-mail address': tooLong, Password: 'not the password' }),
  },
  {
    at: '/sign-in',
    state: 'without cookies',
    who: 'nobody',
    open: (visit) => visit.open('/sign-in?kept=no'),
  },
  { at: '/sign-in/second-step', who: 'nobody', open: toSecondStep },
  {
    at: '/sign-in/second-step',
    state: 'refused',
    who: 'nobody',
    open: toSecondStep,
    act: refusedAfter('Sign in', { Code: '000000' }),
  },
  { at: '/sign-in/forgot', who: 'nobody' },
  {
    at: '/sign-in/forgot',
    state: 'sent',
    who: 'nobody',
    act: shownAfter('Look into your mail', 'Send the mail', { 'E-mail address': 'nobody@gable.example' }),
  },
  { at: '/sign-in/reset', who: 'nobody', open: (visit, { paths }) => visit.open(paths.reset) },
  {
    at: '/sign-in/reset',
    state: 'refused',
    who: 'nobody',
    open: (visit, { paths }) => visit.open(paths.reset),
    act: refusedAfter('Set the password', { 'New password': 'short' }),
  },
  { at: '/sign-in/reset', state: 'spent', who: 'nobody' },
  { at: '/sign-in/confirm', who: 'owner' },
  { at: '/sign-in/confirm', who: 'careful' },
  {
    at: '/sign-in/confirm',
    state: 'refused',
    who: 'owner',
    act: refusedAfter('Go on', { Password: 'not the password' }),
  },
]

const invitations: Stop[] = [
  { at: '/invitation', who: 'nobody', named: true, open: (visit, { paths }) => visit.open(paths.invitation) },
  {
    at: '/invitation',
    state: 'refused',
    who: 'nobody',
    named: true,
    open: (visit, { paths }) => visit.open(paths.invitation),
    act: refusedAfter('Accept', { Password: 'short' }),
  },
  {
    at: '/invitation',
    state: 'of somebody who signs in already',
    who: 'nobody',
    named: true,
    open: (visit, { paths }) => visit.open(paths.known),
  },
  { at: '/invitation', who: 'owner', named: true, open: (visit, { paths }) => visit.open(paths.own) },
  {
    at: '/invitation',
    state: 'of somebody else',
    who: 'owner',
    named: true,
    open: (visit, { paths }) => visit.open(paths.known),
  },
  { at: '/invitation', state: 'spent', who: 'nobody' },
]

const account: Stop[] = [
  { at: '/account', who: 'owner', named: true },
  { at: '/account', who: 'careful', named: true },
  { at: '/account/password', who: 'owner' },
  {
    at: '/account/password',
    state: 'refused',
    who: 'owner',
    act: refusedAfter('Change it', { 'New password': 'short' }),
  },
  { at: '/account/passkeys', who: 'owner' },
  { at: '/account/passkeys', who: 'careful', named: 'briefly' },
  { at: '/account/second-step', who: 'owner' },
  {
    at: '/account/second-step',
    state: 'set up',
    who: 'owner',
    act: shownAfter('Set up the second step', 'Set it up'),
  },
  {
    at: '/account/second-step',
    state: 'refused',
    who: 'owner',
    async act(visit) {
      await shownAfter('Set up the second step', 'Set it up')(visit)
      await refusedAfter('Turn it on', { Code: '000000' })(visit)
    },
  },
  { at: '/account/second-step', who: 'careful' },
  {
    at: '/account/second-step',
    state: 'with new codes',
    who: 'careful',
    act: shownAfter('Your recovery codes', 'Make new recovery codes'),
  },
]

const consent = (visit: Visit, { paths }: World) => visit.open(paths.consent)

const apps: Stop[] = [
  { at: '/oauth/authorize', who: 'owner', named: true, open: consent },
  { at: '/oauth/authorize', who: 'several', named: true, open: consent },
  { at: '/oauth/authorize', who: 'agent', named: true, open: consent },
  { at: '/oauth/authorize', state: 'by a broken link', who: 'owner' },
]

const mails: Stop[] = [
  { at: '/mail', who: 'nobody' },
  {
    at: '/mail/:trap',
    who: 'nobody',
    named: true,
    open: (visit, { paths }) => visit.open(paths.trap),
    act: untilMailed,
  },
  {
    at: '/mail/:trap/:id',
    who: 'nobody',
    named: true,
    async open(visit, { paths }) {
      await visit.open(paths.trap)
      await untilMailed(visit)
      await visit.page.getByRole('link', { name: 'An invitation' }).first().click()
      await visit.page.getByRole('link', { name: 'All mails in the trap' }).waitFor()
    },
  },
]

/** Every page that people get to see. Whoever adds a page adds it here: a test finds those that are missing. */
export const stops: readonly Stop[] = [
  ...signIn,
  ...invitations,
  ...account,
  ...apps,
  ...mails,
  ...settingsStops,
]
