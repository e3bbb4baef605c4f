import type { Command } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type Columns, record, tableOf } from '#kernel/cli/output.ts'
import { orNotFound } from '#kernel/errors.ts'
import { findPipeline, listPipelinesInOrder } from '../pipeline-queries.ts'
import type { PipelineWithStages } from '../pipeline.ts'
import type { PipelineStage } from '../stage.ts'

interface Options {
  workspace: string
}

export function addPipelineCommands(program: Command, cli: Cli): void {
  const pipeline = group(program, 'pipeline', 'the pipelines of a workspace, with the stages of their deals')

  declare(pipeline, 'list', {
    summary: 'list the pipelines of a workspace in order',
    example: 'pipeline list --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, { workspace }: Options) => {
        const { db } = await command.workspace(workspace)
        const rows = await listPipelinesInOrder(db)
        return tableOf(rows, columns, 'The workspace has no pipelines.')
      }),
    )

  declare(pipeline, 'show', {
    summary: 'show a pipeline and its stages',
    example: 'pipeline show PIPELINE --workspace ID',
  })
    .argument('<pipeline-id>', 'id of the pipeline')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, id: string, { workspace }: Options) => {
        const { db } = await command.workspace(workspace)
        const row = orNotFound(await findPipeline(db, id))
        const { text } = record(row, {
          Id: row.id,
          Name: row.name,
          Default: row.is_default ? 'yes' : 'no',
          'Type of new deals': row.deal_type,
          Archived: row.archived_at,
        })
        return { value: row, text: `${text}\n\n${tableOf(row.stages, stageColumns, '').text}` }
      }),
    )
}

const columns: Columns<PipelineWithStages> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  stages: ({ stages }) => stages.map(({ name }) => name).join(', '),
  note: ({ is_default, archived_at }) =>
    [is_default && 'default', archived_at !== null && 'archived'].filter(Boolean).join(', ') || null,
}

const stageColumns: Columns<PipelineStage> = {
  id: ({ id }) => id,
  stage: ({ name }) => name,
  probability: ({ probability }) => `${probability} %`,
  outcome: ({ outcome }) => outcome,
}
