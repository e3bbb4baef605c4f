import { posix } from 'node:path'
import { type Source, at, isTest, literals, visit } from './source.ts'

/** Product words in the singular. Omits words that general mechanisms need as well: message, tag, call, agent. */
const domainWords = new Set([
  'appointment',
  'automation',
  'buyer',
  'campaign',
  'compliance',
  'consent',
  'contact',
  'deal',
  'escrow',
  'inbox',
  'lead',
  'lender',
  'listing',
  'mortgage',
  'note',
  'office',
  'persona',
  'realtor',
  'seller',
  'sms',
  'stage',
  'team',
  'transcript',
  'voicemail',
  'webhook',
])

const words = (text: string) => text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []
const singular = (word: string) =>
  word
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(?<!s)s$/, '')

const domainWordIn = (text: string) => words(text).find((word) => domainWords.has(singular(word)))

/**
 * Domain words in the kernel's names, imports, and texts. The kernel is mechanism and must not contain any; comments
 * may explain.
 */
export const domainWordsInKernel = (sources: readonly Source[]): string[] =>
  sources
    .filter((source) => source.path.startsWith('server/src/kernel/') && !isTest(source))
    .flatMap((source) => {
      const found = new Set<string>()
      const check = (text: string, offset: number) => {
        const word = domainWordIn(text)
        if (word !== undefined)
          found.add(at(source, offset, `"${word}" is a word of the domain; the kernel has none`))
      }
      check(source.path.slice('server/src/kernel/'.length), 0)
      visit(source, { Identifier: ({ name, start }) => check(name, start) })
      for (const { text, offset } of literals(source)) check(text, offset)
      return [...found]
    })

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/
const fileName =
  /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|fixtures|config|d|setup))?\.(ts|js|sql|json|jsonl|yaml|md|html|css|svg|txt)$|^[A-Z]+\.md$|^LICENSE$/
const migrationName = /^\d{4}_[a-z0-9]+(-[a-z0-9]+)*\.sql$/
const nowhere = new Set([
  'services',
  'service',
  'dto',
  'dtos',
  'utils',
  'util',
  'helpers',
  'helper',
  'constants',
  'common',
  'shared',
])

/** Files and folders that are not in kebab-case or whose names do not say what is in them. */
export const badNames = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => {
    const folders = path.split('/').slice(0, -1)
    const pattern = path.startsWith('server/migrations/') ? migrationName : fileName
    const vague = [...folders, posix.basename(path).split('.')[0] ?? ''].find((name) => nowhere.has(name))
    return [
      ...(pattern.test(posix.basename(path)) && folders.every((folder) => kebab.test(folder))
        ? []
        : [`${path}:1: names are kebab-case`]),
      ...(vague === undefined ? [] : [`${path}:1: "${vague}" says nothing of what is in it`]),
    ]
  })

/**
 * Names that two files export. Re-exports from a `public.ts` do not count. Modules and their fixtures are exempt:
 * they are found by their files and have no names of their own.
 */
export const namesExportedTwice = (sources: readonly Source[]): string[] =>
  [
    ...Map.groupBy(
      sources
        .filter(({ path }) => !/(\/module|\.fixtures)\.ts$/.test(path))
        .flatMap(({ path, exports }) => exports.map((name) => ({ name, path }))),
      ({ name }) => name,
    ),
  ]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `${name}: exported by ${places.map(({ path }) => path).join(' and ')}`)
