import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const production = { DATABASE_URL: 'postgres://gable@db.example/gable', APP_SECRET: 'x'.repeat(32) }

test('by default, the server listens on localhost, trusts no proxy, and rate-limits anonymous requests', () => {
  const guarding = {
    role: 'all',
    host: '127.0.0.1',
    port: 8080,
    publicUrl: undefined,
    metrics: undefined,
    trustProxy: 0,
    anonymousRateLimit: 600,
    smtp: undefined,
  }
  expect(readConfig({})).toMatchObject({ ...guarding, databaseUrl: undefined, appSecrets: [] })
  expect(readConfig(production)).toMatchObject({ ...guarding, appSecrets: [production.APP_SECRET] })
})

test('metrics are served on loopback, whatever address the API has, unless METRICS_HOST says otherwise', () => {
  const env = { ...production, HOST: '0.0.0.0', METRICS_PORT: '9464' }
  expect(readConfig(env).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
  expect(readConfig({ ...env, METRICS_HOST: '10.0.0.4' }).metrics).toEqual({ host: '10.0.0.4', port: 9464 })
})

test('webhooks reach loopback in a trial; in production, HTTP and private addresses are opt-in', () => {
  expect(readConfig({}).egress).toEqual({ allowHttp: 'loopback', allowPrivate: 'loopback' })
  expect(readConfig(production).egress).toEqual({ allowHttp: 'none', allowPrivate: 'none' })
  for (const [value, range] of [
    ['true', 'all'],
    ['false', 'none'],
    ['loopback', 'loopback'],
  ]) {
    const env = { ...production, WEBHOOK_ALLOW_HTTP: value }
    expect(readConfig(env).egress).toEqual({ allowHttp: range, allowPrivate: 'none' })
    const other = { ...production, WEBHOOK_ALLOW_PRIVATE: value }
    expect(readConfig(other).egress).toEqual({ allowHttp: 'none', allowPrivate: range })
  }
})

test('EGRESS_ALLOW lists hosts with their port, and networks', () => {
  expect(readConfig(production).egress.allow).toBeUndefined()
  const EGRESS_ALLOW =
    'Sign.internal:3000, 10.1.2.3:587,[FD00::5]:25, bücher.example:443,10.2.0.0/16,fd00::/8,'
  const { allow } = readConfig({ ...production, EGRESS_ALLOW }).egress
  expect([...(allow?.places ?? [])]).toEqual([
    'sign.internal:3000',
    '10.1.2.3:587',
    'fd00::5:25',
    'xn--bcher-kva.example:443',
  ])
  expect(allow?.networks.map(([network, bits]) => `${network}/${bits}`)).toEqual(['10.2.0.0/16', 'fd00::/8'])
})

test.for([
  'sign.internal',
  '10.1.2.3',
  'https://sign.internal:3000',
  'sign.internal:0',
  'sign.internal:65536',
  'sign.internal:3000/path',
  'fd00::5:25',
  '10.0.0.0/33',
  '10.0.0/8',
  'fd00::/129',
  '*.internal:3000',
  'sign.internal:3000 10.0.0.0/8',
])('EGRESS_ALLOW rejects %s', (entry) => {
  expect(() => readConfig({ ...production, EGRESS_ALLOW: `10.2.0.0/16,${entry}` })).toThrow(
    `EGRESS_ALLOW must be hosts with their port, such as sign.internal:3000 or [fd00::5]:587, and networks, such as 10.2.0.0/16, separated by commas; "${entry}" is neither`,
  )
})

test('APP_SECRETS overrides APP_SECRET; each secret needs 32 characters, and production requires one', () => {
  const [one, two] = ['1'.repeat(32), '2'.repeat(32)]
  expect(readConfig({ APP_SECRET: one }).appSecrets).toEqual([one])
  expect(readConfig({ APP_SECRET: one, APP_SECRETS: ` ${two}, ${one},` }).appSecrets).toEqual([two, one])
  expect(() => readConfig({ APP_SECRET: 'x'.repeat(31) })).toThrow('APP_SECRET must have at least 32')
  expect(() => readConfig({ APP_SECRETS: `${one},${'x'.repeat(31)}` })).toThrow('APP_SECRETS must have')
  for (const APP_SECRET of [undefined, ''])
    expect(() => readConfig({ ...production, APP_SECRET })).toThrow('APP_SECRET is required')
})

test.for([
  ['TRUST_PROXY', ['0', '10'], ['-1', '11', '1.5', 'true', '1e1']],
  ['ANONYMOUS_RATE_LIMIT', ['1', '1000000'], ['0', '1000001', 'none']],
  ['METRICS_PORT', ['0', '65535'], ['-1', '65536']],
  ['ROLE', ['all', 'api', 'worker'], ['none', 'All']],
  ['WEBHOOK_ALLOW_PRIVATE', ['true', 'false', 'loopback'], ['yes', '1', 'TRUE']],
  ['WEBHOOK_ALLOW_HTTP', ['true', 'false', 'loopback'], ['yes', '1', 'TRUE']],
  ['DATABASE_URL', ['postgres://db/gable', 'postgresql://db/gable'], ['mysql://db/gable', 'hunter2']],
] as const)('%s accepts %j and rejects %j', ([name, taken, rejected]) => {
  for (const value of taken) expect(() => readConfig({ ...production, [name]: value })).not.toThrow()
  for (const value of rejected)
    expect(() => readConfig({ ...production, [name]: value })).toThrow(`${name} must be`)
})

const bucket = {
  S3_ENDPOINT: 'https://s3.us-west-2.amazonaws.com/',
  S3_BUCKET: 'lantern-and-oak',
  S3_ACCESS_KEY_ID: 'AKIA',
  S3_SECRET_ACCESS_KEY: 'hunter2',
}

test('files are stored in S3 if a bucket is configured, otherwise in the data directory', () => {
  expect(readConfig({}).s3).toBeUndefined()
  expect(readConfig({ S3_REGION: 'eu-west-1' }).s3).toBeUndefined()
  expect(readConfig(bucket).s3).toEqual({
    endpoint: 'https://s3.us-west-2.amazonaws.com',
    bucket: 'lantern-and-oak',
    region: 'us-east-1',
    accessKeyId: 'AKIA',
    secretAccessKey: 'hunter2',
  })
  expect(readConfig({ ...bucket, S3_REGION: 'us-west-2' }).s3).toMatchObject({ region: 'us-west-2' })
})

test.for([
  ['without the endpoint', { S3_ENDPOINT: undefined }, 'S3_ENDPOINT is required with S3_BUCKET'],
  ['without the bucket', { S3_BUCKET: '' }, 'S3_BUCKET is required with S3_ENDPOINT'],
  ['without the key', { S3_ACCESS_KEY_ID: undefined }, 'S3_ACCESS_KEY_ID is required'],
  ['without the secret', { S3_SECRET_ACCESS_KEY: undefined }, 'S3_SECRET_ACCESS_KEY is required'],
  [
    'with an endpoint that names the bucket',
    { S3_ENDPOINT: 'https://s3.example.com/lantern' },
    'must end after',
  ],
  ['with an endpoint of another protocol', { S3_ENDPOINT: 's3://lantern' }, 'S3_ENDPOINT must be an address'],
  ['with a path for a bucket', { S3_BUCKET: '../other' }, 'S3_BUCKET must be the name of a bucket'],
] as const)('rejects an S3 configuration %s', ([, change, fault]) => {
  expect(() => readConfig({ ...bucket, ...change })).toThrow(fault)
})

test('a model requires AI_URL and AI_MODEL; AI_PRICE sets its input and output prices', () => {
  expect(readConfig({}).model).toBeUndefined()
  const named = { AI_URL: 'http://127.0.0.1:11434/v1/', AI_MODEL: 'llama', AI_PRICE: '0/0' }
  expect(readConfig(named).model).toEqual({
    url: 'http://127.0.0.1:11434/v1',
    key: undefined,
    name: 'llama',
    price: { input: 0, output: 0 },
    reasoning: undefined,
  })
  expect(readConfig({ ...named, AI_PRICE: '0.15/0.6' }).model?.price).toEqual({
    input: 150_000,
    output: 600_000,
  })
  expect(() => readConfig({ AI_MODEL: 'llama' })).toThrow('AI_URL is required')
  expect(() => readConfig({ AI_URL: named.AI_URL })).toThrow('AI_MODEL is required')
  expect(() => readConfig({ ...named, AI_PRICE: '$1' })).toThrow('AI_PRICE must be')
  expect(readConfig({ ...named, AI_REASONING: 'low' }).model?.reasoning).toBe('low')
  expect(() => readConfig({ ...named, AI_REASONING: 'hard' })).toThrow('AI_REASONING must be one of')
})

test('AI_PRICE is required with AI_URL, and all missing variables are reported together', () => {
  const local = { AI_URL: 'http://127.0.0.1:11434/v1', AI_MODEL: 'llama' }
  expect(() => readConfig(local)).toThrow('AI_PRICE is required with AI_URL')
  expect(() => readConfig({ AI_URL: local.AI_URL, PORT: 'x' })).toThrow(/PORT[\s\S]*AI_MODEL[\s\S]*AI_PRICE/)
})

test('the simulated carrier is on by default in a trial and opt-in in production', () => {
  expect(readConfig({}).simulatedCarrier).toBe('own')
  expect(readConfig(production).simulatedCarrier).toBeUndefined()
  for (const [value, carrier] of [
    ['true', 'own'],
    ['false', undefined],
    ['http://127.0.0.1:8090', 'http://127.0.0.1:8090'],
    ['http://localhost:8090/', 'http://localhost:8090'],
    ['http://[::1]:8090', 'http://[::1]:8090'],
  ])
    expect(readConfig({ ...production, SIMULATED_CARRIER: value }).simulatedCarrier).toBe(carrier)
  for (const SIMULATED_CARRIER of [
    'yes',
    'https://localhost:8090',
    'http://api.twilio.com',
    'http://10.0.0.1',
    'http://127.carrier.example:8090',
  ])
    expect(() => readConfig({ ...production, SIMULATED_CARRIER })).toThrow('SIMULATED_CARRIER must be')
})

const from = 'gable@brokerage.example'

const servers = [
  'smtp://mail.lantern.example',
  'smtp://mail.lantern.example:2525/',
  'smtps://name:word@mail.lantern.example',
  'smtp://na%40me:w%2Ford@127.0.0.1:25',
  'smtp://[::1]:25',
]

test.for(servers)('SMTP_URL=%s with MAIL_FROM configures a mail server', (url) => {
  expect(readConfig({ SMTP_URL: url, MAIL_FROM: from }).smtp).toEqual({ url, from })
})

test.for([{}, { MAIL_FROM: from }, { SMTP_URL: '', MAIL_FROM: '' }])(
  '%o configures no mail server',
  (env) => {
    expect(readConfig(env).smtp).toBeUndefined()
  },
)

const url = 'smtp://mail.lantern.example'

const faulty: [Record<string, string>, string[]][] = [
  [{ SMTP_URL: url }, ['MAIL_FROM is required']],
  [{ MAIL_FROM: 'Gable <gable@brokerage.example>' }, ['MAIL_FROM must be an email address']],
  [{ SMTP_URL: url, MAIL_FROM: `${from}\nBcc: eve@evil.example` }, ['MAIL_FROM must be an email address']],
  [{ SMTP_URL: 'hunter2' }, ['SMTP_URL must be', 'MAIL_FROM is required']],
  [
    { SMTP_URL: 'http://a:hunter2@mail.lantern.example', MAIL_FROM: 'x' },
    ['SMTP_URL must be', 'MAIL_FROM must'],
  ],
  ...[
    'smtp:mail.lantern.example',
    'smtp://',
    'smtp://a:hunter2@',
    'smtp://a:hunter2@mail lantern',
    'smtp://a:hunter2@mail.lantern.example:99999',
    'smtp://a:hunter2%zz@mail.lantern.example',
    'smtp://a:hunter2%ff@mail.lantern.example',
    'smtp://hunter2@mail.lantern.example',
    'smtp://:hunter2@mail.lantern.example',
    'smtp://a:hunter2@mail.lantern.example/path',
    'smtp://a:hunter2@mail.lantern.example?tls.rejectUnauthorized=false',
    'smtp://a:hunter2@mail.lantern.example#x',
    'smtp://a:hunter2@mail%20lantern',
  ].map((SMTP_URL): [Record<string, string>, string[]] => [
    { SMTP_URL, MAIL_FROM: from },
    ['SMTP_URL must be'],
  ]),
]

test.for(faulty)('rejects %o without showing the secret', ([env, faults]) => {
  let said = ''
  try {
    readConfig({ ...env, PORT: 'x' })
  } catch (error) {
    said = String(error)
  }
  for (const fault of [...faults, 'PORT must be']) expect(said).toContain(`\n  ${fault}`)
  expect(said).not.toContain('hunter2')
})
