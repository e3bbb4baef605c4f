export { judgeModel } from './eval/judge-model.ts'
export { leaveToPerson } from './reply/leave-to-person.ts'
export { readConversations } from './eval/read-conversations.ts'
