import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isLoopback } from '#kernel/egress/address.ts'
import type { EgressOptions } from '#kernel/egress/egress.ts'
import { type AddressRange, type AllowList, bare, readAllowList } from '#kernel/egress/rules.ts'
import { emailPattern } from '#kernel/email-pattern.ts'
import { logLevels } from '#kernel/log.ts'

/** The simulated carrier's port is the server's port plus this number. */
export const carrierAbove = 10

export interface Config {
  role: ServerRole
  host: string
  /** 0 for any free port. */
  port: number
  /** The server's public URL. Undefined if it follows from host and port. */
  publicUrl: string | undefined
  /** Absolute. */
  dataDir: string
  /** Where the journal of opt-outs and erasures is. Absolute. Undefined for the default. */
  backupDir: string | undefined
  /** Undefined for embedded PostgreSQL. */
  databaseUrl: string | undefined
  /** Newest first. Empty if the embedded default creates one. */
  appSecrets: string[]
  logLevel: (typeof logLevels)[number]
  /** Where metrics are served; port 0 is any free one. Undefined for no metrics. */
  metrics: { host: string; port: number } | undefined
  /** How many trusted proxies are in front of the server. */
  trustProxy: number
  /** Requests per minute from one address without a valid credential. */
  anonymousRateLimit: number
  /** Which non-public and http addresses may be called when people choose them. */
  egress: Pick<EgressOptions, 'allowHttp' | 'allowPrivate' | 'allow'>
  /** The mail server, and the From address of mails. Without it, mails are caught. */
  smtp: { url: string; from: string } | undefined
  /** The bucket for files. Undefined for the folder `files` of the data directory. */
  s3: S3Config | undefined
  /** The simulated carrier. `own` starts it with the server; otherwise, the origin of one that runs separately. */
  simulatedCarrier: string | undefined
  /** The language model. Undefined for the simulated carrier's scripted model, or for none. */
  model: ModelConfig | undefined
}

export interface ModelConfig {
  /** The base URL, to which /chat/completions is appended. */
  url: string
  key: string | undefined
  name: string
  /**
   * In millionths of a dollar per million tokens: `input` for tokens that the model reads, `output` for tokens that
   * it writes.
   */
  price: { input: number; output: number }
  /** How much the model reasons before it writes. Undefined for the model's default. */
  reasoning: (typeof efforts)[number] | undefined
}

const efforts = ['none', 'minimal', 'low', 'medium', 'high'] as const

interface S3Config {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** Minimum number of characters in an application secret. */
export const minSecretLength = 32

export const serverRoles = ['all', 'api', 'worker'] as const
export type ServerRole = (typeof serverRoles)[number]

/** All faults of the environment at once, as one text for the operator. */
export class ConfigError extends Error {
  constructor(faults: string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : 'faults'}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    )
    this.name = 'ConfigError'
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Reads the configuration. No other code reads the environment. Throws `ConfigError`; its message never repeats the
 * value of a secret.
 */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const faults: string[] = []
  const text = (name: string) => (env[name] === undefined || env[name] === '' ? undefined : env[name])
  const fault = (name: string, message: string) => void faults.push(`${name} ${message}`)

  function integer(name: string, min: number, max: number): number | undefined {
    const value = text(name)
    if (value === undefined) return undefined
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= min && number <= max) return number
    fault(name, `must be a whole number from ${min} to ${max}, not "${value}"`)
    return undefined
  }
  function choice<T extends string>(name: string, choices: readonly T[], otherwise: T): T {
    const value = text(name) ?? otherwise
    if ((choices as readonly string[]).includes(value)) return value as T
    fault(name, `must be one of ${choices.join(', ')}, not "${value}"`)
    return otherwise
  }
  function url(name: string, protocols: string[], secret = false): string | undefined {
    const value = text(name)
    if (value === undefined) return undefined
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value
    const shown = secret ? '' : `, not "${value}"`
    fault(
      name,
      `must be an address that begins with ${protocols.map((one) => `${one}//`).join(' or ')}${shown}`,
    )
    return undefined
  }

  const databaseUrl = url('DATABASE_URL', ['postgres:', 'postgresql:'], true)
  const secret = text('APP_SECRET')
  const ring = text('APP_SECRETS')?.split(',') ?? (secret === undefined ? [] : [secret])
  const appSecrets = ring.map((one) => one.trim()).filter((one) => one !== '')
  if (appSecrets.some((one) => one.length < minSecretLength)) {
    fault(
      text('APP_SECRETS') === undefined ? 'APP_SECRET' : 'APP_SECRETS',
      `must have at least ${minSecretLength} characters a secret`,
    )
  }
  if (databaseUrl !== undefined && appSecrets.length === 0) {
    fault('APP_SECRET', 'is required with DATABASE_URL; create one with: openssl rand -hex 32')
  }
  // People who try Gable receive webhooks on the same machine.
  const reach = (name: string): AddressRange => {
    const value = choice(
      name,
      ['true', 'false', 'loopback'],
      databaseUrl === undefined ? 'loopback' : 'false',
    )
    if (value === 'loopback') return 'loopback'
    return value === 'true' ? 'all' : 'none'
  }
  function allowed(): AllowList | undefined {
    const list = text('EGRESS_ALLOW')
    const read = list === undefined ? undefined : readAllowList(list)
    if (typeof read !== 'string') return read
    fault(
      'EGRESS_ALLOW',
      `must be hosts with their port, such as sign.internal:3000 or [fd00::5]:587, and networks, such as 10.2.0.0/16, separated by commas; "${read}" is neither`,
    )
    return undefined
  }
  const smtp = { url: text('SMTP_URL'), from: text('MAIL_FROM') }
  for (const [name, message] of mailFaults(smtp)) fault(name, message)
  function s3(): S3Config | undefined {
    const endpoint = url('S3_ENDPOINT', ['http:', 'https:'])?.replace(/\/+$/, '')
    const [bucket, accessKeyId, secretAccessKey] = s3Names.map(text)
    if (
      text('S3_ENDPOINT') === undefined &&
      [bucket, accessKeyId, secretAccessKey].every((one) => one === undefined)
    )
      return undefined
    if (text('S3_ENDPOINT') === undefined)
      fault('S3_ENDPOINT', 'is required with S3_BUCKET: the URL of the storage server')
    for (const name of s3Names) if (text(name) === undefined) fault(name, 'is required with S3_ENDPOINT')
    if (endpoint !== undefined && new URL(endpoint).origin !== endpoint)
      fault('S3_ENDPOINT', 'must end after the host or its port; put the name of the bucket in S3_BUCKET')
    if (bucket !== undefined && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
      fault('S3_BUCKET', `must be the name of a bucket, not "${bucket}"`)
    if (
      endpoint === undefined ||
      bucket === undefined ||
      accessKeyId === undefined ||
      secretAccessKey === undefined
    )
      return undefined
    return { endpoint, bucket, accessKeyId, secretAccessKey, region: text('S3_REGION') ?? 'us-east-1' }
  }
  function simulatedCarrier(): Config['simulatedCarrier'] {
    const value = text('SIMULATED_CARRIER') ?? String(databaseUrl === undefined)
    if (value === 'false') return undefined
    if (value === 'true') return 'own'
    const address = URL.parse(value)
    if (address !== null && isHere(address)) return address.origin
    fault(
      'SIMULATED_CARRIER',
      `must be true, false, or the address of a "gable carrier" on this machine, not "${value}"`,
    )
    return undefined
  }
  function model(): ModelConfig | undefined {
    const address = url('AI_URL', ['http:', 'https:'])?.replace(/\/+$/, '')
    const name = text('AI_MODEL')
    if (name === undefined && text('AI_URL') !== undefined)
      fault('AI_MODEL', 'is required with AI_URL: the name of the model')
    if (name !== undefined && text('AI_URL') === undefined)
      fault(
        'AI_URL',
        'is required with AI_MODEL: the URL of the model server, such as https://api.openai.com/v1',
      )
    const reasoning = text('AI_REASONING') === undefined ? undefined : choice('AI_REASONING', efforts, 'none')
    const price = text('AI_PRICE')
    const prices = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(price ?? '')
    if (price === undefined && (text('AI_URL') !== undefined || name !== undefined))
      fault(
        'AI_PRICE',
        'is required with AI_URL: the price in US dollars per million tokens that the model reads, and that it writes, such as 0.15/0.60; 0/0 if it costs nothing',
      )
    if (price !== undefined && prices === null)
      fault(
        'AI_PRICE',
        'must be US dollars per million tokens that the model reads, and that it writes, such as 0.15/0.60',
      )
    if (address === undefined || name === undefined || prices === null) return undefined
    const [input = 0, output = 0] = prices.slice(1).map((dollars) => Number(dollars) * 1e6)
    return { url: address, key: text('AI_KEY'), name, price: { input, output }, reasoning }
  }
  const dataDir = text('DATA_DIR') ?? '.data'
  const metricsPort = integer('METRICS_PORT', 0, 65_535)
  const backupDir = text('BACKUP_DIR')
  const config: Config = {
    role: choice('ROLE', serverRoles, 'all'),
    host: text('HOST') ?? '127.0.0.1',
    port: integer('PORT', 0, 65_535) ?? 8080,
    publicUrl: url('PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(root, dataDir),
    backupDir: backupDir && resolve(root, backupDir),
    databaseUrl,
    appSecrets,
    logLevel: choice('LOG_LEVEL', logLevels, process.stderr.isTTY ? 'warn' : 'info'),
    metrics:
      metricsPort === undefined
        ? undefined
        : { host: text('METRICS_HOST') ?? '127.0.0.1', port: metricsPort },
    trustProxy: integer('TRUST_PROXY', 0, 10) ?? 0,
    anonymousRateLimit: integer('ANONYMOUS_RATE_LIMIT', 1, 1_000_000) ?? 600,
    egress: {
      allowHttp: reach('WEBHOOK_ALLOW_HTTP'),
      allowPrivate: reach('WEBHOOK_ALLOW_PRIVATE'),
      allow: allowed(),
    },
    smtp: smtp.url === undefined || smtp.from === undefined ? undefined : { url: smtp.url, from: smtp.from },
    s3: s3(),
    simulatedCarrier: simulatedCarrier(),
    model: model(),
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

const s3Names = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

const isHere = ({ protocol, hostname }: URL) => protocol === 'http:' && isLoopback(bare(hostname))

/** The faults of SMTP_URL and MAIL_FROM, each with the variable's name. */
function mailFaults({ url, from }: Record<'url' | 'from', string | undefined>): [string, string][] {
  const faults: [string, string][] = []
  if (url !== undefined && !isMailServer(url)) {
    const form =
      'smtp://host:port or smtps://host:port, with name:password@ before the host if the server requires it'
    faults.push(['SMTP_URL', `must be ${form}, with nothing after the port`])
  }
  if (url !== undefined && from === undefined)
    faults.push(['MAIL_FROM', 'is required with SMTP_URL: the address that emails are from'])
  if (from !== undefined && !new RegExp(emailPattern).test(from))
    faults.push(['MAIL_FROM', `must be an email address, not "${from}"`])
  return faults
}

/**
 * Whether the URL names a mail server, has a user name and a password or neither, and contains nothing that would be
 * ignored.
 */
function isMailServer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol)) return false
  const login = [url.username, url.password]
  return (
    /^([\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname) &&
    (login.every((part) => part === '') || login.every((part) => part !== '' && isDecodable(part))) &&
    ['', '/'].includes(url.pathname + url.search + url.hash)
  )
}

function isDecodable(part: string): boolean {
  try {
    return decodeURIComponent(part) !== ''
  } catch {
    return false
  }
}
