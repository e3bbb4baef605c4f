import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { stopJournal } from '../../src/adapters/storage/stop-journal.ts'
import { openCalendars } from '../../src/app.ts'
import { modules } from '../../src/modules/index.ts'
import type { TestApp } from './app.ts'

/** All pages and forms outside the API, including those of the mail catcher. */
export const routesOf = ({ runtime, files, signing, voice }: TestApp): PlainRoute[] =>
  modules.flatMap(({ routes = [] }) =>
    typeof routes === 'function'
      ? routes({
          runtime,
          anonymousRateLimit: 1,
          sendMail: undefined,
          showsCaughtMail: true,
          onCaught: undefined,
          carriers: { twilio: undefined, whatsapp: undefined, email: undefined },
          files,
          stops: stopJournal('/nowhere', async () => ['none']),
          lastSent: { save: async () => undefined, find: async () => undefined },
          calendars: openCalendars(runtime),
          signing,
          voice,
          model: undefined,
        })
      : routes,
  )
