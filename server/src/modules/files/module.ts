import type { Module } from '#kernel/module.ts'
import { downloadRoute } from './download-route.ts'
import { removeErasedFiles, removeFileJob } from './jobs.ts'
import type { FileDependencies } from './ports.ts'

export const files: Module<FileDependencies> = {
  routes: (dependencies) => [downloadRoute(dependencies)],
  jobs: ({ files: store }) => [removeFileJob(store)],
  periodicJobs: ({ files: store }) => [removeErasedFiles(store)],
}
