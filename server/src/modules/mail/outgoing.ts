import type { Outgoing } from '#kernel/outgoing.ts'
import { countMailsBefore, giveUpMail, listMailsBefore } from './queries.ts'
import { sendMailJob } from './queue-mail.ts'
import { sealAnswer } from './sealed-mail.ts'

export const outgoingMails: Outgoing = {
  name: 'emails',
  what: 'Emails of Gable itself, such as invitations, password links, and notices to members',
  tables: ['mails'],
  workers: [sendMailJob],
  released: 'They leave.',
  dropped: 'They fail, and `gable mail list` says why. `gable mail retry` sends one after all.',
  scope: 'directory',
  count: ({ database }, before) => countMailsBefore(database.directory, before),
  async drop({ database, keys }, before) {
    for (const id of await listMailsBefore(database.directory, before))
      await giveUpMail(
        database.directory,
        id,
        sealAnswer(keys, id, 'Not sent: it was dropped after the database was restored.'),
      )
  },
}
