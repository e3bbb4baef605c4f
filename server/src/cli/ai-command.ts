import type { Command } from 'commander'
import { declare, group } from '#kernel/cli/declare.ts'
import { listOutput, printing } from '#kernel/cli/output.ts'
import { systemClock } from '#kernel/clock.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { openModel } from '../app.ts'
import { readConfig } from '../config.ts'
import { judgeModel, readConversations } from '../modules/ai/public.ts'

/** Adds `ai eval`, which needs a model but no database. */
export function addAiCommand(program: Command): void {
  declare(group(program, 'ai', 'the AI that responds to messages'), 'eval', {
    summary: 'run the test conversations with the language model, and check its proposals',
    description:
      'Asks the model of AI_URL directly. Needs no server and sends nothing. Checks the schema, the action, and the content gate, whatever words the model chooses. The exit code is 1 if a proposal fails a check.',
    example: 'ai eval',
  }).action(printing(evaluate))
}

async function evaluate() {
  const config = readConfig()
  if (config.model === undefined)
    throw new OperatorError('There is no model to evaluate. Set AI_URL, AI_MODEL, and AI_PRICE.')
  await using opened = openModel({
    egress: config.egress,
    simulatedCarrierUrl: undefined,
    model: config.model,
  })
  const { model } = opened
  if (model === undefined) throw new OperatorError('There is no model to evaluate.')
  const judged: Awaited<ReturnType<typeof judgeModel>>[] = []
  // Run one at a time, because a model on this machine can do only one thing at a time.
  const conversations = await readConversations()
  for (const [at, conversation] of conversations.entries()) {
    const one = await judgeModel(model, conversation, systemClock.now())
    judged.push(one)
    const result = one.faults.length === 0 ? 'holds' : 'breaks'
    process.stderr.write(`${at + 1} of ${conversations.length}: ${one.name}: ${result}\n`)
  }
  const passed = judged.filter(({ faults }) => faults.length === 0).length
  if (passed < judged.length) process.exitCode = 1
  const { text } = listOutput(judged, 'There are no conversations.')
  return {
    value: { model: model.name, passed, conversations: judged },
    text: `${text}\n\n${passed} of ${judged.length} conversations pass with ${model.name}.`,
  }
}
