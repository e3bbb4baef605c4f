import { certificateEnd } from '#kernel/egress/certificate.ts'
import type { Egress } from '#kernel/egress/egress.ts'
import { bare } from '#kernel/egress/rules.ts'
import { type CheckFinding, failed, finding, fine, warning } from './finding.ts'

const check = 'public_url'

/** A certificate that ends sooner should have been renewed. */
const renewalMs = 14 * 24 * 3_600_000

/**
 * The findings about PUBLIC_URL: it is https, its name resolves to public addresses, a Gable responds there, and its
 * certificate is valid for a while. `isTrial`: whether the installation is one to try Gable out.
 */
export async function checkPublicUrl(
  url: string | undefined,
  { egress, now, isTrial }: { egress: Egress; now: Date; isTrial: boolean },
  signal: AbortSignal,
): Promise<CheckFinding[]> {
  const bad = isTrial ? warning : failed
  const give = (said: Parameters<typeof finding>[1]) => [finding(check, said, url ?? null)]
  if (url === undefined)
    return give(
      bad(
        'PUBLIC_URL is not set.',
        'Set PUBLIC_URL to the https address at which providers and people reach Gable.',
      ),
    )
  const { protocol, hostname, port } = new URL(url)
  if (protocol !== 'https:')
    return give(
      bad('It is not https.', 'Put Gable behind a proxy with TLS, and set PUBLIC_URL to its https address.'),
    )
  const issue = await egress.inspect(url)
  if (issue !== undefined)
    return give(
      failed(
        `Providers cannot reach it: ${issue}.`,
        'Let its name resolve to the public address of the proxy, also on this machine.',
      ),
    )
  const reply = await egress.send({
    method: 'GET',
    url: `${url}/livez`,
    headers: { accept: 'application/json' },
    startMs: 5000,
  })
  if (reply.status === null)
    return give(
      failed(
        `There is no response: ${reply.failure}.`,
        reply.failure?.startsWith('TLS') === true
          ? 'Renew the certificate, or install the whole chain for this name.'
          : 'Start the api server and the proxy, and allow connections to this address from here and from outside.',
      ),
    )
  if (reply.status !== 200 || !isAlive(reply.body))
    return give(
      failed(
        `Something else than Gable responds (status ${reply.status}).`,
        'Let the proxy pass all paths to the api server.',
      ),
    )
  const at = { host: bare(hostname), port: Number(port || 443) }
  const leftMs = (await certificateEnd(egress, at, signal)).getTime() - now.getTime()
  const days = Math.floor(leftMs / (24 * 3_600_000))
  return give(
    leftMs < renewalMs
      ? warning(
          `It responds, but its certificate expires in ${days} days.`,
          'Renew the certificate, and find out why that did not happen by itself.',
        )
      : fine(`It responds, and its certificate is valid for ${days} more days.`),
  )
}

function isAlive(body: Buffer): boolean {
  try {
    return (JSON.parse(body.toString()) as { status?: unknown } | null)?.status === 'ok'
  } catch {
    return false
  }
}
