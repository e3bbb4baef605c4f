import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export interface Programs {
  dovecot: string
  /** The folder of Postfix's daemons, `master` among them. */
  postfixDaemons: string
  /** Of OpenDKIM: verifies the signature of a mail. */
  opendkimTestmsg: string
}

const folders = [
  ...(process.env['PATH'] ?? '').split(':'),
  '/usr/local/sbin',
  '/usr/sbin',
  '/usr/local/bin',
  '/usr/bin',
]

const find = (name: string) =>
  folders.map((folder) => join(folder, name)).find((path) => path.startsWith('/') && existsSync(path))

const say = (program: string, ...args: string[]) => execFileSync(program, args, { encoding: 'utf8' }).trim()

/** Where the programs are, or in one line why the tests cannot run here. */
export function findPrograms(): Programs | string {
  const [postconf, dovecot, opendkimTestmsg] = ['postconf', 'dovecot', 'opendkim-testmsg'].map(find)
  const missing = Object.entries({
    postfix: postconf,
    'dovecot-imapd': dovecot,
    'opendkim-tools': opendkimTestmsg,
  }).flatMap(([name, path]) => (path === undefined ? [name] : []))
  if (postconf === undefined || dovecot === undefined || opendkimTestmsg === undefined)
    return `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not installed (apt-get install ${missing.join(' ')})`
  const version = say(dovecot, '--version')
  if (!version.startsWith('2.3.')) return `they are written for Dovecot 2.3, and this is ${version}`
  if (process.getuid?.() !== 0) return 'Postfix starts only as root'
  return { dovecot, opendkimTestmsg, postfixDaemons: say(postconf, '-d', '-h', 'daemon_directory') }
}
