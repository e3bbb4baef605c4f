import type { Command } from 'commander'
import type { Ctx } from '#kernel/context.ts'
import { OperatorError } from '../operator-error.ts'
import { type Answer, answering } from './answer.ts'
import { type CommandText, declare } from './declare.ts'
import { openForCommand } from './open-house.ts'
import { chunksOf } from './read-file.ts'
import { type Names, loadNames } from './routing-names.ts'

/** What a command on a workspace's routing works with. */
export interface Target<Options> {
  ctx: Ctx
  names: Names
  options: Options
}

/** Adds a command on the routing of one workspace, which must exist. */
export function declareRouting<Options = object>(
  parent: Command,
  name: string,
  text: CommandText,
  run: (target: Target<Options>, ...operands: string[]) => Promise<Answer>,
): Command {
  const command = declare(parent, name, text).requiredOption('--workspace <id>', 'id of the workspace')
  return command.action(
    answering(async (...operands: unknown[]) => {
      const options = command.opts<Options & { workspace: string }>()
      await using opened = await openForCommand()
      const ctx = await opened.workspace(options.workspace)
      const names = await loadNames(ctx.db)
      return await run({ ctx, names, options }, ...operands.filter((one) => typeof one === 'string'))
    }),
  )
}

/** More is no document that anybody wrote. */
const maxBytes = 20 * 1024 * 1024

/** The JSON in a file, or on standard input for `-`. */
export async function readJson(file: string): Promise<unknown> {
  const name = file === '-' ? 'Standard input' : file
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunksOf(file)) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) throw new OperatorError(`${name} is too large.`)
  }
  // Without the mark that some editors put before a text.
  return parseJson(
    Buffer.concat(chunks)
      .toString()
      .replace(/^\uFEFF/, ''),
    name,
  )
}

/** `name` says where the text is from. */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const what = cause instanceof Error ? cause.message.replace(/^(.{300}).*$/s, '$1…') : String(cause)
    throw new OperatorError(`${name} is not JSON: ${what}`, { cause })
  }
}
