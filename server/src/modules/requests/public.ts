export { openRequestLog } from './request-log.ts'
