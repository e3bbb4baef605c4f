import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Gable, GableError, type Lead, verifyWebhook } from 'gable'

const { GABLE_URL = 'http://127.0.0.1:8080', GABLE_KEY = '', MIRROR_URL = '', PORT = '3000' } = process.env
const gable = new Gable({ apiKey: GABLE_KEY, baseUrl: GABLE_URL })
const mirror = new Map<string, Lead>() // In production: a table.

function save(lead: Lead) {
  const known = mirror.get(lead.id)
  if (known !== undefined && known.updated_at > lead.updated_at) return
  mirror.set(lead.id, lead)
  console.log(lead.id, lead.status, lead.first_name)
}

/** The secret is shown once: set it as WEBHOOK_SECRET for the next start. */
async function subscribe() {
  const { secret } = await gable.webhooks.create({
    url: MIRROR_URL,
    event_types: ['lead.created', 'lead.assigned', 'lead.status_changed'],
  })
  console.log(`WEBHOOK_SECRET=${secret}`)
  return secret
}
const secret = process.env['WEBHOOK_SECRET'] ?? (await subscribe())

createServer(async (request, response) => {
  try {
    const { event, data } = await verifyWebhook(await buffer(request), request.headers, secret)
    if (event === 'lead.created' || event === 'lead.assigned' || event === 'lead.status_changed')
      save(await gable.leads.retrieve(data.id))
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(error instanceof GableError && error.code === 'invalid_signature' ? 401 : 500).end()
  }
}).listen(Number(PORT), '127.0.0.1')

for await (const lead of gable.leads.list()) save(lead)
