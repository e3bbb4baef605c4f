import type { Module } from '#kernel/module.ts'
import { downloadRoute, sharedRoute } from './download-route.ts'
import { filesPath, recordingsPath } from './file-link.ts'
import { removeErasedFiles, removeFileJob } from './jobs.ts'
import type { FileDependencies } from './ports.ts'
import { eraseUnclaimedFiles } from './unclaimed.ts'

export const files: Module<FileDependencies> = {
  routes: (dependencies) => [
    ...[filesPath, recordingsPath].map((path) => downloadRoute(path, dependencies)),
    sharedRoute(dependencies),
  ],
  jobs: ({ files: store }) => [removeFileJob(store)],
  periodicJobs: ({ files: store }) => [removeErasedFiles(store), eraseUnclaimedFiles],
}
