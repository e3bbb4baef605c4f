import type { IncomingMessage } from 'node:http'

const loopbackAddress = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/** Headers that proxies add. A proxy may forward requests from anywhere. */
const ofProxies = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

export const isLoopbackAddress = (address: string): boolean => loopbackAddress.test(address)

export const isLoopbackPlace = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host)

/**
 * Whether a request comes from this machine and also names it as the host. In a DNS rebinding attack, a remote site's
 * name resolves to this machine, and the browser sends that name as the host.
 */
export const isFromThisMachine = ({ socket, headers }: IncomingMessage): boolean =>
  isLoopbackAddress(socket.remoteAddress ?? '') &&
  loopbackHost.test(headers.host ?? '') &&
  ofProxies.every((name) => headers[name] === undefined)
