import { describeCalendarServer } from './contract.ts'
import { startRadicale } from './radicale.ts'

describeCalendarServer('Radicale', startRadicale)
