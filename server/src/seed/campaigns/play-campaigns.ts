import { orNotFound } from '#kernel/errors.ts'
import {
  cancelCampaign,
  createCampaign,
  pauseCampaign,
  scheduleCampaign,
  startCampaign,
  summarizeCampaign,
  summarizeMore,
} from '../../modules/campaigns/public.ts'
import { dayMs } from '../diary.ts'
import type { Scene } from '../scene.ts'
import { drafts } from './drafts.ts'

const hourMs = 3_600_000

/** Schedules the manager's work on campaigns, so that there is one in each status. The automation engine sends them. */
export function playCampaigns(scene: Scene, end: Date): void {
  const [manager] = scene.agents.values()
  const ctx = () => scene.as(orNotFound(manager).actor)
  const on = (daysAgo: number, hour: number, act: () => Promise<unknown>) =>
    scene.agenda.add(new Date(end.getTime() - daysAgo * dayMs + hour * hourMs), act)

  async function summarized(draft: keyof typeof drafts): Promise<string> {
    const { id } = await createCampaign(ctx(), drafts[draft])
    const { compliance_summary, summary_of } = await summarizeCampaign(ctx(), id)
    const of = { at: orNotFound(compliance_summary).at, summary_of: orNotFound(summary_of) }
    while (!(await summarizeMore(ctx(), id, of, 'all')));
    return id
  }

  on(9, 16, async () => startCampaign(ctx(), await summarized('marketNotes')))
  let openHouse = ''
  on(6, 17, async () => {
    openHouse = await summarized('openHouse')
    await scheduleCampaign(ctx(), openHouse, new Date(end.getTime() - 4 * dayMs).toISOString())
  })
  on(5, 18, () => cancelCampaign(ctx(), openHouse))
  let relocation = ''
  on(2, 16, async () => startCampaign(ctx(), (relocation = await summarized('relocation'))))
  on(2, 18, () => pauseCampaign(ctx(), relocation))
  on(1, 20, async () => startCampaign(ctx(), await summarized('monthlyUpdate')))
  on(1, 21, async () =>
    scheduleCampaign(ctx(), await summarized('firstHome'), new Date(end.getTime() + 3 * dayMs).toISOString()),
  )
  on(1, 22, () => createCampaign(ctx(), drafts.investors))
}
