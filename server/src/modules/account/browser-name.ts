/** Browsers by User-Agent. A browser whose User-Agent also names another browser comes first. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/Chrome\/|Chromium\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Returns a readable name for a User-Agent, such as `Firefox on Windows`; returns an unknown one unchanged. */
export function browserName(userAgent: string): string {
  const nameIn = (table: typeof browsers) => table.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = nameIn(browsers)
  const system = nameIn(systems)
  if (browser === undefined) return userAgent
  return system === undefined ? browser : `${browser} on ${system}`
}
