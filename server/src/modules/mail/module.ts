import type { Module } from '#kernel/module.ts'
import { tendMails } from './jobs.ts'

/** What sends mails needs a mail server, and is made by `mailJobs`. */
export const mail: Module = { periodicJobs: [tendMails] }
