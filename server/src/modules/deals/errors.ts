import { defineError } from '#kernel/errors.ts'

export const PipelineArchived = defineError('pipeline_archived', 409, () => ({
  message: 'This pipeline is archived. No deal can be added to it or moved into it.',
}))

export const StageInUse = defineError('stage_in_use', 409, (names: readonly string[]) => ({
  message: `There are deals in ${names.join(', ')}. Move them first, or set move_to to a stage.`,
}))

export const VersionConflict = defineError('version_conflict', 409, (version: number) => ({
  message: `The pipeline has changed since you read it. Its version is now ${version}. Read it again and repeat the change.`,
}))
