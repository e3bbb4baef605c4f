export { judgeModel } from './eval/judge-model.ts'
export { readConversations } from './eval/read-conversations.ts'
