import { beforeAll } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { agent, openScene } from './workspace.ts'

interface Pipeline {
  id: string
  name: string
  is_default: boolean
  stages: { id: string; name: string; outcome: string; probability: number }[]
}

/** The pipelines of the scene's workspace by name. */
export let pipelines: Record<string, Pipeline>

/** Opens the scene, and reads its pipelines. */
export function openDeals(): void {
  openScene()
  beforeAll(async () => {
    const { data } = (await agent.get('/pipelines')).body
    pipelines = Object.fromEntries((data as Pipeline[]).map((one) => [one.name, one]))
  })
}

/** The id of a stage. */
export const stage = (pipeline: string, name: string): string =>
  orNotFound(pipelines[pipeline]?.stages.find((one) => one.name === name)).id

export const deal = async (draft: object = {}) => (await agent.post('/deals', draft)).body
