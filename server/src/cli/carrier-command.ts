import { startCarrier } from '@gable/sandbox/start.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { declare } from '#kernel/cli/declare.ts'
import { systemClock } from '#kernel/clock.ts'
import { nextSignal } from '#kernel/next-signal.ts'
import { OperatorError } from '#kernel/operator-error.ts'

export function addCarrierCommand(program: Command): void {
  declare(program, 'carrier', {
    summary: 'run the simulated carrier until it gets a signal',
    description:
      'Speaks the protocols of the providers on this machine, and delivers to handsets, which are web pages. It forgets everything when it ends.',
    json: 'print one line of JSON when it is ready (default without a terminal)',
    example: 'carrier --port 8090',
  })
    .option('--port <port>', 'the port to listen on; 0 for any free port', portOf, 0)
    .action(async ({ port, json }: { port: number; json?: true }) => {
      const stopped = nextSignal()
      await using carrier = await startCarrier({ host: '127.0.0.1', port, now: systemClock.now }).catch(
        (cause: NodeJS.ErrnoException) => {
          throw new OperatorError(`Cannot listen on port ${port} (${cause.code}).`, { cause })
        },
      )
      const { origin, phoneUrl } = carrier
      process.stdout.write(
        json === true || !process.stdout.isTTY
          ? `${JSON.stringify({ ready: true, origin, phone_url: phoneUrl })}\n`
          : `The simulated carrier runs at ${origin}\nHandsets: ${phoneUrl}\n`,
      )
      await stopped
    })
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.')
}
