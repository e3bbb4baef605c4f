import { InvalidArgumentError, Option } from 'commander'

/** An option that takes one or more `name=value` pairs. */
export const pairsOption = (flag: string, description: string) =>
  new Option(`${flag} <name=value...>`, description).argParser(
    (text: string, before: Record<string, string> = {}) => {
      const at = text.indexOf('=')
      if (at < 1) throw new InvalidArgumentError('It must be a name, an equals sign and a value.')
      return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
    },
  )

/** The members that are given. An empty string becomes null, which clears the field. */
export const patchOf = <T extends Record<string, unknown>>(given: T) =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value === '' ? null : value]),
  ) as { [K in keyof T]?: Exclude<T[K], undefined> | null }
