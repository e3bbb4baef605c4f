import { type Endpoint, pathParameters } from '../../http/endpoint.ts'
import { kebab, bodyMembers } from './member-options.ts'
import type { Shape } from './option-value.ts'

/** Members that an example shows. */
const most = 3

/** The arguments and some options of an example of the command, from the example of its body. */
export function exampleOf({ path, body }: Endpoint): string[] {
  const ids = pathParameters(path).map((name) => name.toUpperCase())
  const [example = {}] = (body as { examples?: object[] } | undefined)?.examples ?? []
  const { members } = bodyMembers((body ?? {}) as Shape)
  const options = Object.entries(example)
    .filter(([, value]) => typeof value !== 'object')
    .filter(([name], at) => at < most || members[name]?.writeOnly === true)
    .map(([name, value]) => optionText(`--${kebab(name)}`, value, members[name]))
  const data = Object.keys(example).length > 0 && options.length === 0 ? ['--data FILE'] : []
  return [...ids, ...options.toSorted((a, b) => Number(a.includes('<')) - Number(b.includes('<'))), ...data]
}

function optionText(flag: string, value: unknown, shape: Shape | undefined): string {
  if (shape?.writeOnly === true) return `${flag}-stdin < secret.txt`
  if (typeof value === 'boolean') return value ? flag : flag.replace('--', '--no-')
  const text = String(value)
  return `${flag} ${/^[\w@.:/+-]+$/.test(text) ? text : JSON.stringify(text)}`
}
