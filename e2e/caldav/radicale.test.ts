import { describeCalendarServer } from '@gable/server/test/caldav/contract.ts'
import { startRadicale } from './radicale.ts'

describeCalendarServer('Radicale', startRadicale)
