import type { Module } from '#kernel/module.ts'
import { sweepIdempotencyReplies } from './jobs.ts'

export const workspaces: Module = { periodicJobs: [sweepIdempotencyReplies] }
