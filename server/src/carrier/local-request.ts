import type { IncomingMessage } from 'node:http'

const loopbackAddress = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/** Headers of proxies, which may forward from anywhere. */
const ofProxies = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

export const isLoopbackAddress = (address: string): boolean => loopbackAddress.test(address)

export const isLoopbackPlace = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host)

/**
 * Whether a request comes from this machine and names it as its host. A remote site can resolve its name to this machine (DNS
 * rebinding); a browser then sends that name.
 */
export const isFromThisMachine = ({ socket, headers }: IncomingMessage): boolean =>
  isLoopbackAddress(socket.remoteAddress ?? '') &&
  loopbackHost.test(headers.host ?? '') &&
  ofProxies.every((name) => headers[name] === undefined)
