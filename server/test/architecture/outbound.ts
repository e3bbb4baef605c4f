import { type Import, type Source, at, isTest, visit } from './source.ts'

const egress = 'server/src/kernel/egress/'

const modules = 'server/src/modules/'

/** Clients that connect to any address. Only kernel/egress checks the address first. */
const httpClients = /^(undici|axios|got|ky|node-fetch|ws)(\/|$)|^(node:)?dns(\/promises)?$/

/** Packages that can also serve, which is allowed. Only the names that connect are errors, and importing everything. */
const sockets = /^(node:)?(http|https|http2|net|tls)$/
const connecting = new Set([
  'default',
  'Agent',
  'ClientRequest',
  'Socket',
  'TLSSocket',
  'connect',
  'createConnection',
  'get',
  'globalAgent',
  'request',
])

/** Clients that a module must use through a port. */
const modulesClients =
  /^(nodemailer|imapflow|tsdav|twilio|openai)(\/|$)|^(node:)?(http|https|http2|net|tls|dgram)$/
const addressTests = new Set(['isIP', 'isIPv4', 'isIPv6', 'BlockList'])

/** Packages that open connections, or that get the way out from the file that imports them. */
const clients = /^(undici|nodemailer|imapflow|tsdav|openai|aws4fetch|twilio)(\/|$)/
const egressMethods = new Set(['connect', 'inspect', 'lookup', 'post', 'send', 'stream'])

const globals = new Set(['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])

const wayOut = 'the way out is kernel/egress'
const port = 'the outside world is behind a port'

function faultOf({ path }: Source, { target, names, typeOnly }: Import): string | undefined {
  if (typeOnly) return undefined
  if (httpClients.test(target)) return wayOut
  if (sockets.test(target) && (names.length === 0 || names.some((name) => connecting.has(name))))
    return wayOut
  if (!path.startsWith(modules) || !modulesClients.test(target)) return undefined
  return target.endsWith('net') && names.every((name) => addressTests.has(name)) ? undefined : port
}

/** Violations: HTTP must go out through kernel/egress, and everything that leaves a module must go through a port. */
export const otherWaysOut = (sources: readonly Source[]): string[] =>
  sources
    .filter((source) => source.path.startsWith('server/src/') && !isTest(source))
    .filter(({ path }) => !path.startsWith(egress))
    .flatMap((source) => {
      const found = source.imports.flatMap((one) => {
        const fault = faultOf(source, one)
        return fault === undefined ? [] : at(source, one.offset, `imports ${one.target}: ${fault}`)
      })
      const report = (name: string, start: number) => {
        if (globals.has(name)) found.push(at(source, start, `${name}: ${wayOut}`))
      }
      visit(source, {
        CallExpression: ({ callee, start }) => {
          if (callee.type === 'Identifier') report(callee.name, start)
        },
        NewExpression: ({ callee, start }) => {
          if (callee.type === 'Identifier') report(callee.name, start)
        },
        MemberExpression: ({ object, property, start }) => {
          if (object.type !== 'Identifier' || property.type !== 'Identifier') return
          if (['globalThis', 'global'].includes(object.name)) report(property.name, start)
          if (object.name === 'process' && property.name === 'getBuiltinModule')
            found.push(at(source, start, 'process.getBuiltinModule: a module that is got so is not seen'))
        },
        VariableDeclarator: ({ init, start }) => {
          if (init?.type === 'Identifier') report(init.name, start)
        },
      })
      return found
    })

/** The files that open connections to other machines: by a client of a protocol, or through an egress. */
export const placesThatCall = (sources: readonly Source[]): string[] =>
  sources
    .filter((source) => source.path.startsWith('server/src/') && !isTest(source))
    .filter(({ path }) => !path.startsWith(egress))
    .filter((source) => {
      let calls = source.imports.some(({ typeOnly, target }) => !typeOnly && clients.test(target))
      visit(source, {
        MemberExpression: ({ object, property }) => {
          const owner = object.type === 'MemberExpression' ? object.property : object
          if (owner.type !== 'Identifier' || property.type !== 'Identifier') return
          if (owner.name === 'egress' && egressMethods.has(property.name)) calls = true
          if (owner.name === 'pg' && ['Client', 'Pool'].includes(property.name)) calls = true
        },
      })
      return calls
    })
    .map(({ path }) => path)
